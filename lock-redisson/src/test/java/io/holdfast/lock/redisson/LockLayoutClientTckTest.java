package io.holdfast.lock.redisson;

import io.holdfast.lock.redisson.RedissonLockProvider.Layout;
import io.holdfast.lock.tck.LockClientTck;
import io.holdfast.lock.tck.LockHarness;
import org.junit.jupiter.api.Tag;

@Tag("full")
@Tag("server")
class LockLayoutClientTckTest extends LockClientTck {

    @Override
    protected LockHarness harness() {
        return new RedissonHarness(Layout.LOCK);
    }
}
