package io.holdfast.examples.migration;

import io.holdfast.lock.core.migration.Phase;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.lock.tck.LockProviderTck;
import io.holdfast.lock.tck.faults.MortalProvider.Death;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Clients that begin or end a move keep the rules; {@link RedisToZooKeeperBothProviderTckTest} has the phase between. */
@Tag("full")
@ParameterizedClass
@EnumSource(
        value = Phase.class,
        names = {"FROM_ONLY", "TO_ONLY"})
class RedisToZooKeeperProviderTckTest extends LockProviderTck {
    @Parameter
    Phase phase;

    @Override
    protected LockHarness harness() {
        return Moves.redisToZooKeeper(phase, Death.AFTER_ITS_FIRST_ATTEMPT);
    }
}
