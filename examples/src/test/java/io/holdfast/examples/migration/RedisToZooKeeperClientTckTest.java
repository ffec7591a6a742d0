package io.holdfast.examples.migration;

import io.holdfast.lock.tck.LockClientTck;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.parts.MortalProvider.Death;
import org.junit.jupiter.api.Tag;

/** Locks that are taken in both stores keep the rules. */
@Tag("full")
class RedisToZooKeeperClientTckTest extends LockClientTck {

    @Override
    protected LockHarness harness() {
        return new MortalMove(Death.AFTER_ITS_GRANT);
    }
}
