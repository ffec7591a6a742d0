package io.holdfast.lock.redis;

import io.holdfast.servers.RedisServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

/** A new server for each test. */
@Tag("server")
abstract class RedisServerScene {

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
