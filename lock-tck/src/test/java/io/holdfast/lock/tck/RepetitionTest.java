package io.holdfast.lock.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.report.Finding;
import io.holdfast.lock.tck.report.Reports;
import io.holdfast.lock.tck.report.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A test is repeated if its failure proves nothing, and then only. */
class RepetitionTest {

    /** Once for the rule's observer, and five times for its holders. The kit asks with fewer what the provider can do. */
    private static final int LAST_OF_THE_RULE = 6;

    /** Looks for what the test has left behind. */
    private static final int AFTER_THE_RULE = LAST_OF_THE_RULE + 1;

    private final AtomicInteger tries = new AtomicInteger();
    private final List<Finding> findings = new ArrayList<>();

    /** A separate class, as reports are passed on by class. */
    static final class Repeated extends CandidateTck.OfProvider {
        Repeated(Supplier<LockHarness> candidate) {
            super(candidate);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {LAST_OF_THE_RULE, AFTER_THE_RULE})
    void anInconclusiveTestIsRepeatedUntilItPassesAndItsReportSaysSo(int provider) {
        run(provider, () -> {
            if (tries.incrementAndGet() < 3) {
                throw new InconclusiveError("the machine is busy");
            }
        });

        assertThat(tries).hasValue(3);
        assertThat(findings)
                .singleElement()
                .returns(Verdict.PASS, Finding::verdict)
                .returns("2 tries before proved nothing: the machine is busy", Finding::text);
    }

    @Test
    void aTestThatIsAlwaysInconclusiveFailsAsThat() {
        run(LAST_OF_THE_RULE, () -> {
            tries.incrementAndGet();
            throw new InconclusiveError("the machine is busy");
        });

        assertThat(tries).hasValue(6);
        assertThat(findings)
                .singleElement()
                .returns(Verdict.INCONCLUSIVE, Finding::verdict)
                .returns("the machine is busy", Finding::text);
    }

    @ParameterizedTest
    @ValueSource(ints = {LAST_OF_THE_RULE, AFTER_THE_RULE})
    void aTestThatFindsARuleBrokenIsNotRepeated(int provider) {
        run(provider, () -> {
            tries.incrementAndGet();
            throw new AssertionError("two holders at once");
        });

        assertThat(tries).hasValue(1);
        assertThat(findings).singleElement().returns(Verdict.BROKEN, Finding::verdict);
    }

    /** A test of a vendor's class that proves nothing, and notes its lease. */
    static final class Measured extends CandidateTck.OfProvider {
        private static final List<Duration> LEASES = new CopyOnWriteArrayList<>();

        Measured(Supplier<LockHarness> candidate) {
            super(candidate);
        }

        @LockRule("3.1")
        void provesNothing() {
            LEASES.add(kit().lease());
            throw new InconclusiveError("a call took half of the lease");
        }
    }

    @Test
    void aRepetitionHasLongerLeasesWhichTheSameDelayDisturbsLess() {
        KitRun run = KitRun.ofRule(Measured.class, "provesNothing", MemoryHarness::new);

        assertThat(run.failures()).singleElement().asString().contains("a call took half of the lease");
        assertThat(Measured.LEASES.stream().map(Duration::toMillis))
                .containsExactly(600L, 1200L, 1800L, 2400L, 2400L, 2400L);
    }

    /** Runs one rule with a harness to which something happens when a provider is opened. */
    private void run(int provider, Runnable event) {
        Reports.passOn(Repeated.class, report -> findings.addAll(report.findings()));
        KitRun.ofRule(Repeated.class, "rule54_aReleasedLockIsFreeAtOnce", () -> new MemoryHarness() {
            private int opened;

            @Override
            public LockProvider open() {
                opened++;
                if (opened == provider) {
                    event.run();
                }
                return super.open();
            }
        });
    }
}
