package io.holdfast.examples.memcached;

import io.holdfast.lock.tck.LockClientTck;
import io.holdfast.lock.tck.LockHarness;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

@Tag("full")
class MemcachedClientTckTest extends LockClientTck {

    private static RunningMemcached server;

    @BeforeAll
    static void start() {
        server = MemcachedServer.start();
    }

    @Override
    protected LockHarness harness() {
        return new MemcachedHarness(server);
    }

    @AfterAll
    static void stop() {
        server.close();
    }
}
