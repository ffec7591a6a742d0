package io.holdfast.lock.zookeeper;

import io.holdfast.parts.Providers;
import io.holdfast.servers.ZooKeeperServer;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Providers as the factory makes them. */
final class ZooKeeperProviders {

    private ZooKeeperProviders() {}

    static ZooKeeperLockProvider on(ZooKeeperServer server, String pathAndQuery) {
        return at("zookeeper://" + server.host() + ":" + server.port() + pathAndQuery);
    }

    /**
     * The addresses of a server that starts again, with others that are not there: a server that has just started sometimes
     * swallows a connection, and the client gives that up after the session's time-out divided by the number of servers.
     */
    static String amongOthers(int port) {
        return IntStream.rangeClosed(1, 8)
                .mapToObj(i -> "127.0.0." + i + ":" + port)
                .collect(Collectors.joining(","));
    }

    static ZooKeeperLockProvider at(String uri) {
        return at(uri, Map.of());
    }

    static ZooKeeperLockProvider at(String uri, Map<String, String> properties) {
        return (ZooKeeperLockProvider) Providers.open(new ZooKeeperLockProviderFactory(), uri, properties);
    }
}
