package io.holdfast.examples.migration;

import io.holdfast.lock.core.migration.Phase;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.lock.tck.LockProviderTck;
import org.junit.jupiter.api.Tag;

/** Clients before a move keep the rules. */
@Tag("full")
class BeforeStringToHashProviderTckTest extends LockProviderTck {

    @Override
    protected LockHarness harness() {
        return Move.stringToHash(Phase.FROM_ONLY).harness(Phase.FROM_ONLY);
    }
}
