package io.holdfast.examples.memcached;

import io.holdfast.lock.tck.LockHarness;
import io.holdfast.lock.tck.LockProviderTck;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

@Tag("full")
class MemcachedProviderTckTest extends LockProviderTck {

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
