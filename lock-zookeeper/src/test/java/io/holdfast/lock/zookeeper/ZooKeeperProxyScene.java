package io.holdfast.lock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.tck.faults.TcpProxy;
import io.holdfast.servers.ZooKeeperServer;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

/** A new server for each test, and a proxy through which a client can be cut off from it. */
@Tag("server")
abstract class ZooKeeperProxyScene {

    final ZooKeeperServer server = ZooKeeperServer.start();
    final TcpProxy proxy = TcpProxy.to(server.host(), server.port());

    /** The engine counts from the start of the attempt, so the wait for the connection may be added. */
    static void assertIsGoodFor(Duration validFor, Duration expected) {
        assertThat(validFor).isBetween(expected, expected.plusSeconds(5));
    }

    @AfterEach
    void stop() {
        proxy.close();
        server.close();
    }
}
