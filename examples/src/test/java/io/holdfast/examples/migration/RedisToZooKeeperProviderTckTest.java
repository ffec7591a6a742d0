package io.holdfast.examples.migration;

import io.holdfast.lock.tck.LockHarness;
import io.holdfast.lock.tck.LockProviderTck;
import io.holdfast.parts.MortalProvider.Death;
import org.junit.jupiter.api.Tag;

/** Locks that are taken in both stores keep the rules. */
@Tag("full")
class RedisToZooKeeperProviderTckTest extends LockProviderTck {

    @Override
    protected LockHarness harness() {
        return new MortalMove(Death.AFTER_ITS_FIRST_ATTEMPT);
    }
}
