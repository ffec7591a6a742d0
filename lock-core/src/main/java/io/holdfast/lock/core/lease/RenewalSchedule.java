package io.holdfast.lock.core.lease;

import java.time.Duration;

/**
 * When to renew one lease, when to warn, when it ends. Guarded by the {@link LeaseKeeper}'s mutex; changed only while it is out
 * of the keeper's queue, which is ordered by it. A part of the {@link Lease}: a client may hold many.
 */
abstract class RenewalSchedule implements Comparable<RenewalSchedule> {

    /** Renew when a third of the lease has passed: two more tries fit in before it ends. */
    private static final int PERIODS = 3;

    /** A failed renewal is repeated after this part of a period. */
    private static final int RETRY_PART = 5;

    /** A renewal that comes up within this part of a period goes along with those that are due: leases fall into step. */
    private static final int EARLY_PART = 4;

    /** A renewal may wait for this part of a period while others are sent: one that hangs is not waited for. */
    private static final int PATIENCE_PART = 10;

    private static final long MIN_PAUSE_NANOS = Duration.ofMillis(1).toNanos();

    /** Where it is in the keeper's queue; 0 if it is not in there. */
    private int place;

    /** Those that are due at the same moment keep the order in which they came. */
    private int sequence;

    /** As it was when the rest was computed. */
    private long end;

    private long period;
    private long renewAt;
    private long warnAt;
    private boolean warned;

    /** Whether the keeper renews it, and warns when that does not succeed. It never changes. */
    public abstract boolean isRenewedAutomatically();

    /** The reading of the clock at which the lease is over. It moves to an earlier one when the store's clock is set forward. */
    public abstract long deadline();

    /** Begins for a lease that runs from one reading of the clock to another. */
    void begin(int newSequence, long from, long newDeadline) {
        sequence = newSequence;
        restart(from, newDeadline);
    }

    /** Starts again for a lease that runs from one reading of the clock to another. */
    void restart(long from, long newDeadline) {
        end = newDeadline;
        period = Math.max(MIN_PAUSE_NANOS, (newDeadline - from) / PERIODS);
        renewAt = from + period;
        warnAt = newDeadline - period;
        warned = false;
    }

    int place() {
        return place;
    }

    void moveTo(int newPlace) {
        place = newPlace;
    }

    void renewNow(long now) {
        renewAt = now;
    }

    void retry(long now) {
        renewAt = now + Math.max(MIN_PAUSE_NANOS, period / RETRY_PART);
    }

    /** For how long a renewal that is due may wait for others. */
    long longestPause() {
        return period / PATIENCE_PART;
    }

    /** Whether the lease ends earlier than it did. */
    boolean isOutdated() {
        return deadline() - end < 0;
    }

    /** Moves all that is due to the new end of the lease: a renewal may be due at once. */
    void endEarlier(long now) {
        long by = end - deadline();
        end -= by;
        period = Math.max(MIN_PAUSE_NANOS, Math.min(period, (end - now) / PERIODS));
        renewAt -= by;
        warnAt -= by;
    }

    /** The next moment at which something is to be done. */
    long due() {
        long due = end;
        if (isRenewedAutomatically()) {
            due = earlier(due, renewAt);
            due = warned ? due : earlier(due, warnAt);
        }
        return due;
    }

    private static long earlier(long a, long b) {
        return a - b <= 0 ? a : b;
    }

    boolean isOver(long now) {
        return now - end >= 0;
    }

    /** Whether to warn now; true once for each lease. */
    boolean takeWarning(long now) {
        boolean warn = isRenewedAutomatically() && !warned && now - warnAt >= 0;
        warned |= warn;
        return warn;
    }

    /** Whether to renew now; true once until {@link #restart}, {@link #retry} or {@link #renewNow}. */
    boolean takeRenewal(long now) {
        boolean renew = isRenewedAutomatically() && now - renewAt + period / EARLY_PART >= 0;
        if (renew) {
            renewAt = end + period;
        }
        return renew;
    }

    @Override
    public int compareTo(RenewalSchedule other) {
        long difference = due() - other.due();
        return difference != 0 ? Long.signum(difference) : Integer.signum(sequence - other.sequence);
    }
}
