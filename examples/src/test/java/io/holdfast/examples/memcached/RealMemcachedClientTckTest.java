package io.holdfast.examples.memcached;

import io.holdfast.lock.tck.LockClientTck;
import io.holdfast.lock.tck.LockHarness;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIf;

/** On the memcached of the machine; skipped where there is none. */
@Tag("server")
@Tag("full")
@EnabledIf(value = RealMemcached.IS_INSTALLED, disabledReason = RealMemcached.MISSING)
class RealMemcachedClientTckTest extends LockClientTck {

    private static RunningMemcached server;

    @BeforeAll
    static void start() {
        server = RealMemcached.start();
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
