package io.holdfast.lock.redis;

import io.holdfast.lock.tck.LockClientTck;
import io.holdfast.lock.tck.LockHarness;
import org.junit.jupiter.api.Tag;

@Tag("full")
@Tag("server")
class RedlockClientTckTest extends LockClientTck {

    @Override
    protected LockHarness harness() {
        return new RedlockHarness();
    }
}
