package io.holdfast.lock.tck;

import io.holdfast.lock.core.migration.Phase;

/** A migrating provider keeps the rules in its phase. */
class FromOnlyPhaseProviderTckTest extends LockProviderTck {

    @Override
    protected LockHarness harness() {
        return new MigratingHarness(Phase.FROM_ONLY);
    }
}
