package io.holdfast.examples.migration;

import io.holdfast.lock.core.migration.Phase;
import io.holdfast.lock.tck.Deviation;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.lock.tck.LockProviderTck;
import io.holdfast.lock.tck.faults.MortalProvider.Death;
import org.junit.jupiter.api.Tag;

/**
 * Clients in the phase that has two stores keep the rules, but for wake-ups; {@link StringToHashProviderTckTest} has all phases.
 */
@Tag("full")
@Deviation(
        rule = "7.2",
        reason =
                "between Redis, which tells the names of locks, and ZooKeeper, which wakes single claims, waiters also poll",
        link = "docs/migration.md")
class RedisToZooKeeperProviderTckTest extends LockProviderTck {

    @Override
    protected LockHarness harness() {
        return Moves.redisToZooKeeper(Phase.BOTH, Death.AFTER_ITS_FIRST_ATTEMPT);
    }
}
