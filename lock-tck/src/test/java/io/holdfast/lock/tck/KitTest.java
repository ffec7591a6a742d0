package io.holdfast.lock.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.core.memory.MemoryLockProvider;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.tck.CandidateTck.OfProvider;
import io.holdfast.lock.tck.report.Verdict;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tests of the kit itself. */
@Execution(ExecutionMode.CONCURRENT)
class KitTest {

    private static Kit kit() {
        return kit(false);
    }

    private static Kit kit(boolean isFaulty) {
        MemoryHarness harness = new MemoryHarness();
        try (LockProvider provider = harness.open()) {
            return new Kit(harness, provider.capabilities(), isFaulty, 1, Pace.now());
        }
    }

    @Test
    void aMeasurementThatIsNeverConclusiveFailsAsInconclusive() {
        AtomicInteger tries = new AtomicInteger();

        assertThatThrownBy(() -> kit().conclusively(() -> tries.incrementAndGet() < 0))
                .isInstanceOf(InconclusiveError.class)
                .hasMessageContaining("too slow to tell");
        assertThat(tries).hasValue(3);
    }

    @Test
    void aMeasurementIsRepeatedUntilItIsConclusive() throws Exception {
        AtomicInteger tries = new AtomicInteger();

        kit().conclusively(() -> tries.incrementAndGet() == 3);

        assertThat(tries).hasValue(3);
    }

    @Test
    void anEarlyTakeoverIsAViolationAndAnUnwatchedOneIsInconclusive() {
        Takeover takeover = new Takeover(50, 100);

        assertThatThrownBy(() -> takeover.notBefore(101, Duration.ofNanos(60), "the lease"))
                .isInstanceOf(AssertionError.class)
                .isNotInstanceOf(InconclusiveError.class)
                .hasMessageContaining("too early: the lease");
        assertThat(takeover.notBefore(100, Duration.ofNanos(60), "the lease")).isTrue();
        assertThat(takeover.notBefore(100, Duration.ofNanos(50), "the lease")).isFalse();
    }

    @Test
    @Tag("full")
    void aRecordThatIsLeftBehindIsFoundAfterTheTest() {
        Kit kit = kit();
        DrivenClaim left = kit.claim(kit.newName()).leasing(Duration.ofDays(1)).makeGranted();
        left.abandon();

        assertThatThrownBy(() -> kit.close(true))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("left behind");
    }

    @Test
    void onlyAfterAFaultTheStoreGetsTimeToAnswerTheReleases() {
        Kit kit = kit();
        LockProvider closed = kit.provider();
        kit.claim(closed, kit.newName()).makeGranted();
        closed.close();
        Pace.Limit afterAFault = new Pace.Limit(Pace.BACK_WITHIN);

        assertThatThrownBy(() -> kit.close(false)).hasMessageContaining("a release must be answered");
        assertThat(afterAFault.isOver()).isFalse();
    }

    @Test
    void whatIsSaidOfAClaimProvesNothingAfterItsLease() {
        Kit kit = kit();
        DrivenClaim held = kit.claim(kit.newName()).makeGranted();
        // Its lease does not end before the kit asks, however slow the machine is.
        DrivenClaim lost = kit.claim(kit.newName()).lasting().makeGranted();
        lost.claim().release();
        assertThatThrownBy(() -> lost.mustRenew("it is granted")).isNotInstanceOf(InconclusiveError.class);
        assertThatThrownBy(() -> lost.mustRelease(Release.RELEASED, "it is granted"))
                .isNotInstanceOf(InconclusiveError.class);
        held.outlive(kit.longestLife());

        assertThatThrownBy(() -> held.mustRenew("it is granted"))
                .isInstanceOf(InconclusiveError.class)
                .hasMessageContaining("may have ended");
        held.outlive(kit.longestLife());
        assertThatThrownBy(() -> held.mustRelease(Release.RELEASED, "it is granted"))
                .isInstanceOf(InconclusiveError.class);
    }

    @Test
    void theTrickyNamesAreAllDifferent() {
        assertThat(new HashSet<>(TrickyNames.variants("base"))).hasSameSizeAs(TrickyNames.variants("base"));
        assertThat(TrickyNames.shown("a\u00E9\n")).isEqualTo("'a\\u{E9}\\u{A}'");
        assertThat(TrickyNames.shown("x".repeat(1000)).length()).isLessThan(70);
    }

    @Test
    void namesOfOneHashDifferAndAreNew() {
        HashTwins.hashes().forEach((hash, function) -> {
            List<String> twins = HashTwins.next(hash);
            assertThat(twins).doesNotHaveDuplicates().hasSize(2);
            assertThat(twins.stream().map(name -> function.applyAsInt(name.getBytes(StandardCharsets.UTF_8))))
                    .as(hash)
                    .containsOnly(function.applyAsInt(twins.get(0).getBytes(StandardCharsets.UTF_8)));
            assertThat(HashTwins.next(hash)).doesNotContainAnyElementsOf(twins);
        });
    }

    @Test
    void neighboursDifferFromEachOther() {
        assertThat(Neighbours.all().flatMap(family -> family.names().stream())).doesNotHaveDuplicates();
    }

    @Test
    void hashesGiveTheirPublishedValues() {
        Map<String, Integer> published =
                Map.of("CRC-32", 0xCBF4_3926, "FNV-1a", 0xBB86_B11C, "MurmurHash3", 0xB4FE_F382);
        published.forEach((hash, value) -> assertThat(
                        HashTwins.hashes().get(hash).applyAsInt("123456789".getBytes(StandardCharsets.UTF_8)))
                .as(hash)
                .isEqualTo(value));
    }

    @Test
    void anExceptionThatNoRuleAllowsBreaksTheRule() {
        KitRun run = KitRun.ofRule(OfProvider.class, "rule54_aReleasedLockIsFreeAtOnce", () -> () -> {
            LockProvider closed = MemoryLockProvider.builder("closed").build();
            closed.close();
            return closed;
        });

        run.mustFailAlone(
                "rule 5.4 is broken: an exception that the rule does not allow: io.holdfast.lock.LockStoreException: ");
    }

    @Test
    @Tag("full")
    void aThreadThatIsLeftBehindIsNamed() {
        KitRun run = KitRun.ofRule(
                OfProvider.class, "rule93_afterCloseNoThreadOfTheProviderRemains", () -> new MemoryHarness() {
                    @Override
                    public LockProvider open() {
                        Thread leaked = new Thread(() -> Pace.pass(Duration.ofMinutes(1)), "leaked-thread");
                        leaked.setDaemon(true);
                        leaked.start();
                        return super.open();
                    }
                });

        assertThat(run.failures()).singleElement().asString().contains("leaked-thread");
    }

    @Test
    void aStoreThatStandsStillBreaksNoRuleByTimeOuts() {
        Kit kit = kit();
        OpenClaims calls = kit.claim(kit.newName()).open();
        LockStoreException timedOut = new LockStoreException("no reply");
        assertThatThrownBy(() -> calls.timed(() -> {
                    Pace.pass(kit.lease().dividedBy(3));
                    throw timedOut;
                }))
                .isSameAs(timedOut);

        assertThat(kit.judge("rule 1.1", new AssertionError("a thread failed", timedOut)))
                .returns(Verdict.INCONCLUSIVE, KitFailure::verdict);
        assertThat(kit.judge("rule 1.1", new TimeoutException("120 seconds")))
                .returns(Verdict.INCONCLUSIVE, KitFailure::verdict);
        assertThat(new Judge(calls, kit.capabilities(), false, kit.lease(), Duration.ZERO, Duration.ZERO)
                        .judge("rule 1.1", new AssertionError("granted twice")))
                .as("no lease of the test could end")
                .returns(Verdict.BROKEN, KitFailure::verdict);
    }

    @Test
    void callsThatTheTestItselfSlowedDownExplainNoFailure() {
        AssertionError failure = new AssertionError("granted twice");

        assertThat(withSlowCalls(false).isExplained(failure)).isTrue();
        assertThat(withSlowCalls(true).isExplained(new InconclusiveError("the premise did not hold")))
                .isTrue();
        assertThat(withSlowCalls(false).isExplained(new CertainError("two holders")))
                .isFalse();
        // A stall of the machine explains it: one of several kits is made and asked while there is none.
        assertThat(Pace.within(Pace.HANGS, () -> !withSlowCalls(true).isExplained(failure)))
                .isTrue();
    }

    private static Kit withSlowCalls(boolean isFaulty) {
        Kit kit = kit(isFaulty);
        OpenClaims calls = kit.claim(kit.newName()).open();
        calls.reliesOn(kit.lease());
        calls.took(kit.gap());
        return kit;
    }

    @Test
    void aCallThatHangsTellsNothingOfThePaceOfTheStore() {
        OpenClaims calls = new OpenClaims(Duration.ofSeconds(30));

        calls.took(Pace.HANGS);

        assertThat(calls.slowest()).isZero();
    }

    @Test
    void aHarnessThatCannotBeClosedIsInconclusive() {
        KitRun run =
                KitRun.ofRule(OfProvider.class, "rule54_aReleasedLockIsFreeAtOnce", () -> new OpenedOften(() -> {}) {
                    @Override
                    public void close() {
                        super.close();
                        if (isOpenedOften()) {
                            throw new IllegalStateException("the server does not stop");
                        }
                    }
                });

        run.mustFailAlone("rule 5.4 is inconclusive: the harness could not be closed: ");
    }

    @Test
    void aTestThatFindsItselfInapplicableIsAborted() {
        KitRun run = KitRun.ofRule(
                OfProvider.class,
                "rule54_aReleasedLockIsFreeAtOnce",
                () -> new OpenedOften(() -> Assumptions.abort("not applicable: there is no more of this")));

        assertThat(run.failures()).isEmpty();
        assertThat(run.aborts()).containsExactly("not applicable: there is no more of this");
    }

    /** A harness to which something happens in a test of a rule, and not when the kit asks it what it is. */
    private static class OpenedOften extends MemoryHarness {
        private final Runnable event;
        private int opened;

        OpenedOften(Runnable event) {
            this.event = event;
        }

        boolean isOpenedOften() {
            return opened > 2;
        }

        @Override
        public LockProvider open() {
            opened++;
            if (isOpenedOften()) {
                event.run();
            }
            return super.open();
        }
    }

    @Test
    void aWaiterThatIsGrantedALockThatShouldBeHeldFailsAtOnce() throws Exception {
        Kit kit = kit();

        Call<Boolean> waiting = kit.claim(kit.newName()).make().waitingForHints(Duration.ofMinutes(1));

        assertThatThrownBy(waiting::result).hasMessageContaining("the attempt must be contended");
        kit.close(true);
    }
}
