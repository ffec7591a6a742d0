package io.holdfast.examples.migration;

import io.holdfast.lock.core.migration.Phase;
import io.holdfast.lock.tck.LockClientTck;
import io.holdfast.lock.tck.LockHarness;
import org.junit.jupiter.api.Tag;

/** Clients after a move keep the rules. */
@Tag("full")
class AfterStringToHashClientTckTest extends LockClientTck {

    @Override
    protected LockHarness harness() {
        return Move.stringToHash(Phase.TO_ONLY).harness(Phase.TO_ONLY);
    }
}
