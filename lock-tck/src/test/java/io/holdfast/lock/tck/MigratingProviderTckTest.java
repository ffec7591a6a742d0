package io.holdfast.lock.tck;

import io.holdfast.lock.core.migration.Phase;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** Clients that move keep the rules in each phase. The tests of a parameterized class would run one by one. */
class MigratingProviderTckTest {

    @Nested
    @Tag("full")
    class FromOnly extends LockProviderTck {
        @Override
        protected LockHarness harness() {
            return new MigratingHarness(Phase.FROM_ONLY);
        }
    }

    @Nested
    class Both extends LockProviderTck {
        @Override
        protected LockHarness harness() {
            return new MigratingHarness(Phase.BOTH);
        }
    }

    @Nested
    @Tag("full")
    class ToOnly extends LockProviderTck {
        @Override
        protected LockHarness harness() {
            return new MigratingHarness(Phase.TO_ONLY);
        }
    }
}
