package io.holdfast.examples.migration;

import io.holdfast.lock.core.migration.Phase;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.lock.tck.LockProviderTck;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Clients that move keep the rules in each phase. */
@Tag("full")
@ParameterizedClass
@EnumSource(Phase.class)
class StringToHashProviderTckTest extends LockProviderTck {
    @Parameter
    Phase phase;

    @Override
    protected LockHarness harness() {
        return Moves.stringToHash(phase);
    }
}
