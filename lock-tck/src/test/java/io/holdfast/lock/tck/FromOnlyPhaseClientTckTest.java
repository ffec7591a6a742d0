package io.holdfast.lock.tck;

import io.holdfast.lock.core.migration.Phase;

/** A migrating provider keeps the rules in its phase. */
class FromOnlyPhaseClientTckTest extends LockClientTck {

    @Override
    protected LockHarness harness() {
        return new MigratingHarness(Phase.FROM_ONLY);
    }
}
