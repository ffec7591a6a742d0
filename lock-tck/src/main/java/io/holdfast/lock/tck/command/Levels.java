package io.holdfast.lock.tck.command;

import io.holdfast.lock.tck.LockClientTck;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.lock.tck.LockProviderTck;
import io.holdfast.lock.tck.faults.MortalProvider.Death;
import java.util.function.Function;

/**
 * The two test classes that the command runs, for one provider in each JVM. JUnit makes them, so their harness can only come from
 * here.
 */
final class Levels {

    private static volatile Function<Death, LockHarness> harness = death -> {
        throw new IllegalStateException("Only the command runs these classes");
    };

    private Levels() {}

    static void runOn(Function<Death, LockHarness> making) {
        harness = making;
    }

    /** The rules that a provider keeps alone. */
    static final class ProviderLevel extends LockProviderTck {
        @Override
        protected LockHarness harness() {
            return harness.apply(Death.AFTER_ITS_FIRST_ATTEMPT);
        }
    }

    /** The rules that an application sees. */
    static final class ClientLevel extends LockClientTck {
        @Override
        protected LockHarness harness() {
            return harness.apply(Death.AFTER_ITS_GRANT);
        }
    }
}
