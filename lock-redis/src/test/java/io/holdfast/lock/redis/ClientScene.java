package io.holdfast.lock.redis;

import io.holdfast.lock.LockClient;
import io.holdfast.servers.RedisServer;
import io.holdfast.servers.TcpProxy;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Engine and backend together, as an application has them, with a server that can be watched through a proxy. */
abstract class ClientScene {

    static final Duration BOUND = Duration.ofSeconds(30);

    RedisServer server;
    TcpProxy proxy;

    @BeforeEach
    void start() {
        server = RedisServer.start();
        proxy = TcpProxy.to(server.host(), server.port());
    }

    @AfterEach
    void stop() {
        proxy.close();
        server.close();
    }

    LockClient connect(String query) {
        return LockClient.connect("redis://127.0.0.1:" + proxy.port() + "?" + query);
    }
}
