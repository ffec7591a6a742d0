package io.holdfast.examples.migration;

import io.holdfast.lock.core.migration.Phase;
import io.holdfast.lock.tck.LockClientTck;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.lock.tck.faults.MortalProvider.Death;
import org.junit.jupiter.api.Tag;

/** Clients that move keep the rules in the phase that has two stores; {@link StringToHashClientTckTest} has all phases. */
@Tag("full")
class RedisToZooKeeperClientTckTest extends LockClientTck {

    @Override
    protected LockHarness harness() {
        return Moves.redisToZooKeeper(Phase.BOTH, Death.AFTER_ITS_GRANT);
    }
}
