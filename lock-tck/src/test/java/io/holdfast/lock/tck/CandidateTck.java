package io.holdfast.lock.tck;

import java.util.function.Supplier;

/** The kit on whatever harness a test of the kit has set: not found by the build, only run by such a test, one at a time. */
final class CandidateTck {

    private static volatile Supplier<LockHarness> candidate = MemoryHarness::new;

    private CandidateTck() {}

    static void set(Supplier<LockHarness> harness) {
        candidate = harness;
    }

    /** At the level of the SPI. */
    static class OfProvider extends LockProviderTck {
        @Override
        protected LockHarness harness() {
            return candidate.get();
        }
    }

    /** At the level of the client. */
    static class OfClient extends LockClientTck {
        @Override
        protected LockHarness harness() {
            return candidate.get();
        }
    }
}
