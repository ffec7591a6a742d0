package io.holdfast.lock.zookeeper;

import io.holdfast.servers.TcpProxy;
import io.holdfast.servers.ZooKeeperServer;
import org.junit.jupiter.api.AfterEach;

/** For each test a server of its own, and a proxy through which a client can be cut off from it. */
abstract class ProxyScene {

    final ZooKeeperServer server = ZooKeeperServer.start();
    final TcpProxy proxy = TcpProxy.to(server.host(), server.port());

    @AfterEach
    void stop() {
        proxy.close();
        server.close();
    }
}
