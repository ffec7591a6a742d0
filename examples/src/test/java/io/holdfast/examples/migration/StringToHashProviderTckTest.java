package io.holdfast.examples.migration;

import io.holdfast.lock.core.migration.Phase;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.lock.tck.LockProviderTck;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** Clients that move keep the rules in each phase. The tests of a parameterized class would run one by one. */
@Tag("full")
class StringToHashProviderTckTest {

    @Nested
    class FromOnly extends LockProviderTck {
        @Override
        protected LockHarness harness() {
            return Moves.stringToHash(Phase.FROM_ONLY);
        }
    }

    @Nested
    class Both extends LockProviderTck {
        @Override
        protected LockHarness harness() {
            return Moves.stringToHash(Phase.BOTH);
        }
    }

    @Nested
    class ToOnly extends LockProviderTck {
        @Override
        protected LockHarness harness() {
            return Moves.stringToHash(Phase.TO_ONLY);
        }
    }
}
