package io.holdfast.lock.tck;

/** The in-memory provider keeps the rules. */
class MemoryProviderTckTest extends LockProviderTck {

    @Override
    protected LockHarness harness() {
        return new MemoryHarness();
    }
}
