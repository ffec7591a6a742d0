package io.holdfast.lock.redis;

import io.holdfast.lock.tck.LockClientTck;
import io.holdfast.lock.tck.LockHarness;
import org.junit.jupiter.api.Tag;

@Tag("full")
@Tag("server")
class SentinelClientTckTest extends LockClientTck {

    @Override
    protected LockHarness harness() {
        return new SentinelHarness();
    }
}
