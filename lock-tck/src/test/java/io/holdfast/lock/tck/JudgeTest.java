package io.holdfast.lock.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockCapabilities.LeaseControl;
import io.holdfast.lock.tck.report.Verdict;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class JudgeTest {

    private static final LockCapabilities SESSIONS = LockCapabilities.BASIC.withLeaseControl(LeaseControl.SESSION);
    private static final Duration LEASE = Duration.ofSeconds(2);

    @Test
    void aStallThatMayEndASessionExplainsThatALongLeaseHasEnded() {
        assertThat(verdict(SESSIONS, Duration.ofMillis(501))).isEqualTo(Verdict.INCONCLUSIVE);
    }

    @Test
    void aStallThatIsTooShortForASessionExplainsNothing() {
        assertThat(verdict(SESSIONS, Duration.ofMillis(499))).isEqualTo(Verdict.BROKEN);
    }

    @Test
    void noStallEndsALongLeaseOfAClaim() {
        assertThat(verdict(LockCapabilities.BASIC, Duration.ofSeconds(2))).isEqualTo(Verdict.BROKEN);
    }

    @Test
    void machineThatStoodStillForSecondsInAllExplainsThatAnyLeaseHasEnded() {
        assertThat(verdict(Duration.ofMillis(4999), new AssertionError("granted twice")))
                .isEqualTo(Verdict.BROKEN);
        assertThat(verdict(Duration.ofSeconds(5), new AssertionError("granted twice")))
                .isEqualTo(Verdict.INCONCLUSIVE);
    }

    @Test
    void portThatAnotherProcessHasTakenIsNoFaultOfTheProvider() {
        UncheckedIOException taken = new UncheckedIOException(new BindException("Address already in use"));

        assertThat(verdict(Duration.ZERO, new AssertionError("the proxy cannot listen", taken)))
                .isEqualTo(Verdict.INCONCLUSIVE);
    }

    @Test
    void noStallExplainsWhatIsCertain() {
        assertThat(verdict(Duration.ofMinutes(1), new CertainError("two holders at once")))
                .isEqualTo(Verdict.BROKEN);
    }

    private static Verdict verdict(Duration inAll, AssertionError failure) {
        OpenClaims claims = new OpenClaims(Duration.ofMinutes(1));
        claims.reliesOn(Duration.ofMinutes(1));
        return new Judge(claims, LockCapabilities.BASIC, false, LEASE, Duration.ZERO, inAll)
                .judge("rule 1.1", failure)
                .verdict();
    }

    @Test
    void callsThatNoFaultHasDisturbedTellOfAStoreThatMayHaveEndedASession() {
        assertThat(verdictAfterCallsOf(Duration.ofMillis(501), false)).isEqualTo(Verdict.INCONCLUSIVE);
        assertThat(verdictAfterCallsOf(Duration.ofMillis(499), false)).isEqualTo(Verdict.BROKEN);
        assertThat(verdictAfterCallsOf(Duration.ofMillis(501), true)).isEqualTo(Verdict.BROKEN);
    }

    private static Verdict verdictAfterCallsOf(Duration slowest, boolean isFaulty) {
        OpenClaims claims = new OpenClaims(Duration.ofMinutes(1));
        claims.took(slowest);
        return new Judge(claims, SESSIONS, isFaulty, LEASE, Duration.ZERO, Duration.ZERO)
                .judge("rule 1.1", new AssertionError("granted twice"))
                .verdict();
    }

    private static Verdict verdict(LockCapabilities capabilities, Duration stall) {
        OpenClaims claims = new OpenClaims(Duration.ofMinutes(1));
        claims.reliesOn(Duration.ofMinutes(1));
        return new Judge(claims, capabilities, false, LEASE, stall, stall)
                .judge("rule 1.1", new AssertionError("granted twice"))
                .verdict();
    }
}
