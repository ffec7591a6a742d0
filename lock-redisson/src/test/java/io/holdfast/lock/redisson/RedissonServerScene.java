package io.holdfast.lock.redisson;

import io.holdfast.servers.RedisServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

/** A new server for each test. */
@Tag("server")
abstract class RedissonServerScene {

    RedisServer server;

    @BeforeEach
    void startServer() {
        server = RedisServer.start();
    }

    @AfterEach
    void stopServer() {
        server.close();
    }
}
