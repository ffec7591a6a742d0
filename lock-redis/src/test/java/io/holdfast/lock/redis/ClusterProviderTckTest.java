package io.holdfast.lock.redis;

import io.holdfast.lock.redis.RedisLockProvider.Layout;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.lock.tck.LockProviderTck;
import org.junit.jupiter.api.Tag;

@Tag("full")
@Tag("server")
class ClusterProviderTckTest extends LockProviderTck {

    @Override
    protected LockHarness harness() {
        return new ClusterHarness(Layout.HASH);
    }
}
