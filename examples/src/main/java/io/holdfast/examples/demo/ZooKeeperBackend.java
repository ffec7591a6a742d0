package io.holdfast.examples.demo;

import io.holdfast.servers.ZooKeeperServer;
import java.time.Duration;

/** A ZooKeeper server of the demo's own. */
final class ZooKeeperBackend implements DemoBackend {

    /** What a lease is elsewhere. It is at least as long as the lease of the third act, which this store does not ask for. */
    private static final Duration SESSION = Duration.ofSeconds(5);

    private static final Duration CONNECT = Duration.ofSeconds(20);

    @Override
    public String name() {
        return "zookeeper";
    }

    @Override
    public Stage stage() {
        return new ProcessStage();
    }

    @Override
    public Store start() {
        return start(SESSION);
    }

    static Store start(Duration session) {
        ZooKeeperServer server = ZooKeeperServer.start();
        String address = server.host() + ":" + server.port();
        return new RunningStore(
                "zookeeper://" + address + "?sessionTimeout=" + session.toMillis() + "ms&connectTimeout="
                        + CONNECT.toMillis() + "ms",
                "a ZooKeeper server on " + address + "; a session ends " + session.toSeconds()
                        + " s after its last sign of life",
                server::close);
    }
}
