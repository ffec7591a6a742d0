package io.holdfast.lock.zookeeper;

import io.holdfast.servers.ZooKeeperEnsemble;
import io.holdfast.servers.ZooKeeperServer;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Servers that all tests of the kit share. They are started when they are first asked for, and end with the JVM. */
final class Site {
    static final Site ONE_SERVER = new Site(() -> List.of(ZooKeeperServer.start()));
    static final Site THREE_SERVERS = new Site(() -> ZooKeeperEnsemble.start().members());

    private final Supplier<List<ZooKeeperServer>> launch;
    private @Nullable List<ZooKeeperServer> servers;
    private @Nullable Operator operator;
    private int turn;

    private Site(Supplier<List<ZooKeeperServer>> launch) {
        this.launch = launch;
    }

    private List<ZooKeeperServer> servers() {
        List<ZooKeeperServer> started = servers;
        if (started == null) {
            started = launch.get();
            servers = started;
        }
        return started;
    }

    /** One of the servers, in rotation. */
    synchronized ZooKeeperServer next() {
        return servers().get(turn++ % servers().size());
    }

    /** All of them. */
    synchronized String connectionString() {
        return servers().stream()
                .map(server -> server.host() + ":" + server.port())
                .collect(Collectors.joining(","));
    }

    synchronized Operator operator() {
        Operator connected = operator;
        if (connected == null) {
            connected = Operator.at(connectionString());
            operator = connected;
        }
        return connected;
    }
}
