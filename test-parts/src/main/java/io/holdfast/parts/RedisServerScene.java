package io.holdfast.parts;

import io.holdfast.servers.RedisServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

/** A new Redis server for each test. */
@Tag("server")
public abstract class RedisServerScene {

    /** The server. */
    protected RedisServer server;

    /** For the tests of a backend. */
    protected RedisServerScene() {}

    @BeforeEach
    void startServer() {
        server = RedisServer.start();
    }

    @AfterEach
    void stopServer() {
        server.close();
    }
}
