package io.holdfast.lock.tck;

import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.tck.report.Verdict;
import java.net.BindException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/**
 * Tells what the failure of a test shows. While the machine stood still for a good part of a lease, the premise of a rule may not
 * have held: a lease may have ended before the engine could renew it. Long leases do not end in a test, and the stalls extend all
 * limits of the kit; but neither the time-outs of the provider nor that of the test. Where a session takes the place of all
 * leases, a machine that stands still for a quarter of its time-out may end it, and with it any claim: several threads in turn
 * give a sign of life. And a machine that stood still for seconds in all may have done so longer than was measured, and made the
 * test outlast a long lease: then only two holders at once are certain.
 */
final class Judge {

    private static final Duration MUCH = Duration.ofSeconds(5);

    private final OpenClaims claims;
    private final boolean sessions;
    private final boolean isFaulty;
    private final Duration lease;
    private final Duration machine;
    private final Duration inAll;

    /**
     * Judges one test.
     *
     * @param claims its claims
     * @param capabilities of its provider
     * @param isFaulty whether the test disturbs the calls of the store itself
     * @param lease the lease of its harness, or the time-out of its sessions
     * @param machine for how long the machine stood still within one such time
     * @param inAll for how long during the whole test
     */
    Judge(
            OpenClaims claims,
            LockCapabilities capabilities,
            boolean isFaulty,
            Duration lease,
            Duration machine,
            Duration inAll) {
        this.claims = claims;
        this.isFaulty = isFaulty;
        this.sessions = Capability.LEASED_PER_SESSION.isMetBy(capabilities);
        this.lease = lease;
        this.machine = machine;
        this.inAll = inAll;
    }

    KitFailure judge(String subject, Throwable failure) {
        String seen = failure instanceof AssertionError
                ? String.valueOf(failure.getMessage())
                : "an exception that the rule does not allow: " + failure;
        if (provesNothing(failure)) {
            return new KitFailure(subject, Verdict.INCONCLUSIVE, seen, failure);
        }
        if (inAll.compareTo(MUCH) >= 0 && !isCausedBy(CertainError.class, failure)) {
            String why = "the machine stood still for " + inAll.toMillis() + " ms in all, so this proves nothing: ";
            return new KitFailure(subject, Verdict.INCONCLUSIVE, why + seen, failure);
        }
        Duration stalled = longestStall();
        return isCertain(failure, stalled)
                ? new KitFailure(subject, Verdict.BROKEN, seen, failure)
                : new KitFailure(
                        subject,
                        Verdict.INCONCLUSIVE,
                        "the machine or the store stood still for " + stalled.toMillis() + " ms within one lease of "
                                + lease.toMillis() + " ms, so this proves nothing: " + seen,
                        failure);
    }

    /** Whether a failure is none of the provider: a premise did not hold, or another process has taken a port of the harness. */
    static boolean provesNothing(Throwable failure) {
        return isCausedBy(InconclusiveError.class, failure) || isCausedBy(BindException.class, failure);
    }

    private Duration longestStall() {
        return machine.compareTo(claims.slowest()) > 0 ? machine : claims.slowest();
    }

    private boolean isCertain(Throwable failure, Duration stalled) {
        boolean timedOut = failure instanceof TimeoutException || isCausedBy(LockStoreException.class, failure);
        return isCausedBy(CertainError.class, failure)
                || (!claims.couldEnd() && !timedOut && !sessionCouldEnd())
                || stalled.compareTo(lease.dividedBy(4)) < 0;
    }

    /** Calls that no fault has disturbed took long because the store stood still, which is no better than a machine that does. */
    private boolean sessionCouldEnd() {
        Duration stood = isFaulty ? machine : longestStall();
        return sessions && stood.compareTo(lease.dividedBy(4)) > 0;
    }

    /** What another thread threw arrives as a cause. */
    static boolean isCausedBy(Class<? extends Throwable> type, Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (type.isInstance(cause)) {
                return true;
            }
        }
        return false;
    }
}
