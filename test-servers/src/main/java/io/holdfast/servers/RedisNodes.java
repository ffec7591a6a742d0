package io.holdfast.servers;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Independent Redis servers. Not thread-safe. */
public final class RedisNodes implements AutoCloseable {

    /** Settings by which a server writes everything to its disk before it answers. */
    private static final String[] DURABLE = {"--appendonly", "yes", "--appendfsync", "always"};

    private final List<RedisServer> servers;

    private RedisNodes(List<RedisServer> servers) {
        this.servers = List.copyOf(servers);
    }

    /**
     * Starts servers side by side, and waits until all answer.
     *
     * @param count how many
     * @param config as for {@link RedisServer#start}
     * @return the servers
     */
    public static RedisNodes start(int count, String... config) {
        return new RedisNodes(IntStream.range(0, count)
                .parallel()
                .mapToObj(node -> RedisServer.start(config))
                .collect(Collectors.toList()));
    }

    /**
     * Starts servers that write everything to their disks before they answer.
     *
     * @param count how many
     * @return the servers
     */
    public static RedisNodes startDurable(int count) {
        return start(count, DURABLE);
    }

    /**
     * All servers.
     *
     * @return the servers
     */
    public List<RedisServer> all() {
        return servers;
    }

    /**
     * One of the servers.
     *
     * @param node from 0
     * @return the server
     */
    public RedisServer get(int node) {
        return servers.get(node);
    }

    /**
     * The hosts and ports, as they stand in a URI.
     *
     * @return the list, with commas
     */
    public String addresses() {
        return servers.stream()
                .map(server -> server.host() + ":" + server.port())
                .collect(Collectors.joining(","));
    }

    /** Ends all of them and removes their data. */
    @Override
    public void close() {
        servers.forEach(RedisServer::close);
    }
}
