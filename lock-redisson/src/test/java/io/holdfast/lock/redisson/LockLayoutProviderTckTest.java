package io.holdfast.lock.redisson;

import io.holdfast.lock.redisson.RedissonLockProvider.Layout;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.lock.tck.LockProviderTck;
import org.junit.jupiter.api.Tag;

@Tag("server")
class LockLayoutProviderTckTest extends LockProviderTck {

    @Override
    protected LockHarness harness() {
        return new RedissonHarness(Layout.LOCK);
    }
}
