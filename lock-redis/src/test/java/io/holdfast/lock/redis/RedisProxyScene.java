package io.holdfast.lock.redis;

import io.holdfast.servers.TcpProxy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A server that can be watched, and cut off, through a proxy. */
abstract class RedisProxyScene extends RedisServerScene {

    TcpProxy proxy;

    @BeforeEach
    void startProxy() {
        proxy = TcpProxy.to(server.host(), server.port());
    }

    @AfterEach
    void stopProxy() {
        proxy.close();
    }
}
