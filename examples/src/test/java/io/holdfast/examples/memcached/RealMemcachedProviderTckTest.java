package io.holdfast.examples.memcached;

import io.holdfast.lock.tck.LockHarness;
import io.holdfast.lock.tck.LockProviderTck;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIf;

/** On the memcached of the machine; skipped where there is none. */
@Tag("server")
@Tag("full")
@EnabledIf(value = RealMemcached.IS_INSTALLED, disabledReason = RealMemcached.MISSING)
class RealMemcachedProviderTckTest extends LockProviderTck {

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
