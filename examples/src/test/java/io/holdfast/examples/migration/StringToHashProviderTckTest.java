package io.holdfast.examples.migration;

import io.holdfast.lock.core.migration.Phase;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.lock.tck.LockProviderTck;
import org.junit.jupiter.api.Tag;

/** Locks that are taken in both stores keep the rules. */
@Tag("full")
class StringToHashProviderTckTest extends LockProviderTck {

    @Override
    protected LockHarness harness() {
        return Move.stringToHash(Phase.BOTH).harness(Phase.BOTH);
    }
}
