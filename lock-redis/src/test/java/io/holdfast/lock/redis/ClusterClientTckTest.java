package io.holdfast.lock.redis;

import io.holdfast.lock.redis.RedisLockProvider.Layout;
import io.holdfast.lock.tck.LockClientTck;
import io.holdfast.lock.tck.LockHarness;
import org.junit.jupiter.api.Tag;

@Tag("full")
@Tag("server")
class ClusterClientTckTest extends LockClientTck {

    @Override
    protected LockHarness harness() {
        return new ClusterHarness(Layout.HASH);
    }
}
