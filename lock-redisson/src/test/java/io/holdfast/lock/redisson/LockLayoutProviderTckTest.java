package io.holdfast.lock.redisson;

import io.holdfast.lock.redisson.RedissonLockProvider.Layout;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.lock.tck.LockProviderTck;

class LockLayoutProviderTckTest extends LockProviderTck {

    @Override
    protected LockHarness harness() {
        return new RedissonHarness(Layout.LOCK);
    }
}
