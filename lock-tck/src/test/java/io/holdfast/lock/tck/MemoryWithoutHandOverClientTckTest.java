package io.holdfast.lock.tck;

import io.holdfast.lock.LockOptions;

/** Clients whose released locks all go back to the store keep the rules, too. */
class MemoryWithoutHandOverClientTckTest extends LockClientTck {

    @Override
    protected LockHarness harness() {
        return new MemoryHarness() {
            @Override
            public LockOptions options() {
                return LockOptions.DEFAULTS.withHandOver(0);
            }
        };
    }
}
