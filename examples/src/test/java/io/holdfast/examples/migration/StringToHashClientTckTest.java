package io.holdfast.examples.migration;

import io.holdfast.lock.core.migration.Phase;
import io.holdfast.lock.tck.LockClientTck;
import io.holdfast.lock.tck.LockHarness;
import org.junit.jupiter.api.Tag;

/** Locks that are taken in both stores keep the rules. */
@Tag("full")
class StringToHashClientTckTest extends LockClientTck {

    @Override
    protected LockHarness harness() {
        return Move.stringToHash(Phase.BOTH).harness(Phase.BOTH);
    }
}
