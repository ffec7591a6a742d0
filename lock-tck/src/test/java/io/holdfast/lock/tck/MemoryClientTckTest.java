package io.holdfast.lock.tck;

/** Clients over the in-memory provider keep the rules. */
class MemoryClientTckTest extends LockClientTck {

    @Override
    protected LockHarness harness() {
        return new MemoryHarness();
    }
}
