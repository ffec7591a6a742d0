package io.holdfast.lock.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.core.memory.MemoryLockProvider;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.CandidateTck.OfProvider;
import java.time.Duration;
import java.util.HashSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests of the kit itself. */
class KitTest {

    private static Kit kit() {
        MemoryHarness harness = new MemoryHarness();
        try (LockProvider provider = harness.open()) {
            return new Kit(harness, provider.capabilities());
        }
    }

    @Test
    void aMeasurementThatIsNeverConclusiveFailsAsInconclusive() {
        AtomicInteger tries = new AtomicInteger();

        assertThatThrownBy(() -> kit().conclusively(() -> tries.incrementAndGet() < 0))
                .isInstanceOf(InconclusiveError.class)
                .hasMessageContaining("too slow to tell");
        assertThat(tries).hasValue(8);
    }

    @Test
    void aMeasurementIsRepeatedUntilItIsConclusive() throws Exception {
        AtomicInteger tries = new AtomicInteger();

        kit().conclusively(() -> tries.incrementAndGet() == 3);

        assertThat(tries).hasValue(3);
    }

    @Test
    void anEarlyTakeoverIsAViolationAndAnUnwatchedOneIsInconclusive() {
        DrivenClaim.Takeover takeover = new DrivenClaim.Takeover(50, 100);

        assertThatThrownBy(() -> takeover.notBefore(101, Duration.ofNanos(60), "the lease"))
                .isInstanceOf(AssertionError.class)
                .isNotInstanceOf(InconclusiveError.class)
                .hasMessageContaining("too early: the lease");
        assertThat(takeover.notBefore(100, Duration.ofNanos(60), "the lease")).isTrue();
        assertThat(takeover.notBefore(100, Duration.ofNanos(50), "the lease")).isFalse();
    }

    @Test
    @Tag("full")
    void aRecordThatIsLeftBehindIsFoundAfterTheTest() throws Exception {
        Kit kit = kit();
        DrivenClaim left = kit.claim(kit.newName()).leasing(Duration.ofDays(1)).makeGranted();
        left.abandon();

        assertThatThrownBy(() -> kit.close(true))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("left behind");
    }

    @Test
    void theTrickyNamesAreAllDifferent() {
        assertThat(new HashSet<>(TrickyNames.variants("base"))).hasSameSizeAs(TrickyNames.variants("base"));
        assertThat(TrickyNames.shown("a\u00E9\n")).isEqualTo("'a\\u{E9}\\u{A}'");
        assertThat(TrickyNames.shown("x".repeat(1000)).length()).isLessThan(70);
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
}
