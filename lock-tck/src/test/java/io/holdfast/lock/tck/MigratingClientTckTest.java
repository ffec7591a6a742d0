package io.holdfast.lock.tck;

import io.holdfast.lock.core.migration.Phase;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Clients that move keep the rules in each phase. */
@ParameterizedClass
@EnumSource(Phase.class)
class MigratingClientTckTest extends LockClientTck {
    @Parameter
    Phase phase;

    @Override
    protected LockHarness harness() {
        return new MigratingHarness(phase);
    }
}
