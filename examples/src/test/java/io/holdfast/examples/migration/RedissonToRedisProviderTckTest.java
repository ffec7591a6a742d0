package io.holdfast.examples.migration;

import io.holdfast.lock.core.migration.Phase;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.lock.tck.LockProviderTck;
import org.junit.jupiter.api.Tag;

/** Clients that move keep the rules in the phase that has two stores; {@link StringToHashProviderTckTest} has all phases. */
@Tag("full")
class RedissonToRedisProviderTckTest extends LockProviderTck {

    @Override
    protected LockHarness harness() {
        return Moves.redissonToRedis(Phase.BOTH);
    }
}
