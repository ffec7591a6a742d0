package io.holdfast.examples.migration;

import io.holdfast.lock.core.migration.Phase;
import io.holdfast.lock.tck.LockClientTck;
import io.holdfast.lock.tck.LockHarness;
import org.junit.jupiter.api.Tag;

/** Clients that move keep the rules in the phase that has two stores; {@link StringToHashClientTckTest} has all phases. */
@Tag("full")
class RedissonToRedisClientTckTest extends LockClientTck {

    @Override
    protected LockHarness harness() {
        return Moves.redissonToRedis(Phase.BOTH);
    }
}
