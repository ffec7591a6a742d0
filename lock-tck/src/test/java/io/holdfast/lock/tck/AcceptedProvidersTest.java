package io.holdfast.lock.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.CandidateTck.OfClient;
import io.holdfast.lock.tck.CandidateTck.OfProvider;
import io.holdfast.lock.tck.faults.Faults;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Correct providers pass, even slow ones and ones with the fewest capabilities. Rules that do not apply are skipped with a
 * reason.
 */
@Execution(ExecutionMode.CONCURRENT)
class AcceptedProvidersTest {

    @ParameterizedTest
    @ValueSource(classes = {OfProvider.class, OfClient.class})
    @Tag("full")
    void aSlowProviderIsAccepted(Class<? extends KitCase> level) {
        KitRun run = KitRun.whole(level, () -> new MemoryHarness() {
            @Override
            public LockProvider open() {
                return new SlowProvider(super.open(), Duration.ofMillis(10));
            }
        });

        assertThat(run.failures()).isEmpty();
        assertThat(run.succeeded()).isGreaterThan(50);
    }

    @ParameterizedTest
    @ValueSource(classes = {OfProvider.class, OfClient.class})
    @Tag("full")
    void aProviderThatCanDoTheLeastIsAccepted(Class<? extends KitCase> level) {
        KitRun run = KitRun.whole(level, () -> new MemoryHarness() {
            @Override
            public LockProvider open() {
                return new ModestProvider(super.open());
            }
        });

        assertThat(run.failures()).isEmpty();
        assertThat(run.succeeded()).isGreaterThan(40);
        assertThat(run.skips())
                .contains("rule 6.1 not applicable: the provider declares fencing NONE, the rule needs VOLATILE or"
                        + " better")
                .noneMatch(reason -> reason.contains("rule 6.5 not applicable: the provider declares fencing NONE"));
    }

    @ParameterizedTest
    @ValueSource(classes = {OfProvider.class, OfClient.class})
    void aHookThatTheHarnessLacksIsSkippedWithTheReason(Class<? extends KitCase> level) {
        String control = "control_theUriReachesTheStoreOfTheProviders";
        KitRun run = KitRun.ofRule(level, control, () -> new MemoryHarness() {
            @Override
            public Faults faults() {
                return Faults.none();
            }
        });

        assertThat(run.skips())
                .containsExactly("the harness control control_theUriReachesTheStoreOfTheProviders() not applicable: the"
                        + " rule starts other processes, which compete for a lock, and there is no uri() for it here");
        assertThat(KitRun.ofRule(level, control, MemoryHarness::new).skips())
                .containsExactly("the harness control control_theUriReachesTheStoreOfTheProviders() not applicable: the"
                        + " store is in this process");
    }

    @Test
    void aStrongerFencingThanDeclaredIsSkippedWithTheReason() {
        KitRun run = KitRun.ofRule(OfProvider.class, "rule63_tokensGrowAcrossAForcedRelease", MemoryHarness::new);

        assertThat(run.skips())
                .containsExactly(
                        "rules 6.1, 6.3 not applicable: the provider declares fencing VOLATILE, the rule needs CLOCKED"
                                + " or STRICT");
    }
}
