package io.holdfast.lock.redisson;

import io.holdfast.lock.LockOptions;
import io.holdfast.lock.redisson.RedissonLockProvider.Layout;
import io.holdfast.lock.tck.LockClientTck;
import io.holdfast.lock.tck.LockHarness;
import org.junit.jupiter.api.Tag;

@Tag("full")
@Tag("server")
class LockLayoutWithoutHandOverClientTckTest extends LockClientTck {

    @Override
    protected LockHarness harness() {
        return new RedissonHarness(Layout.LOCK, LockOptions.DEFAULTS.withHandOver(0));
    }
}
