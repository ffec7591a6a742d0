package io.holdfast.lock.core.hold;

import io.holdfast.lock.core.lease.LeaseEnd;
import java.time.Duration;

/**
 * How long a hold is certain, by the monotonic clock. A renewal only ever moves the end forward; a step of the store's clock moves it back.
 * Written under the hold's mutex, read by anybody.
 */
final class Validity {

    private volatile LeaseEnd end;

    /** The reading of the clock at which it began: of the grant, or of the answer to the latest renewal. */
    private volatile long from;

    /** How much must be left to nest without a renewal: a third of what was granted, which may be less than was asked for. */
    private volatile long comfort;

    Validity(long now, LeaseEnd end) {
        this.end = end;
        this.from = now;
        this.comfort = (end.granted() - now) / 3;
    }

    long from() {
        return from;
    }

    LeaseEnd end() {
        return end;
    }

    long deadline() {
        return end.reading();
    }

    boolean isOver(long now) {
        return now - deadline() >= 0;
    }

    /** Whether it would not be over if the store's clock had not been set. */
    boolean isCutShort(long now) {
        return isOver(now) && end.isCutShort(now);
    }

    Duration remaining(long now) {
        return Duration.ofNanos(Math.max(0, deadline() - now));
    }

    boolean isComfortable(long now) {
        return comfortableUntil() - now > 0;
    }

    /** The first reading of the clock at which it is comfortable no longer. */
    long comfortableUntil() {
        return deadline() - comfort + 1;
    }

    /** Whether at most that much is left. */
    boolean isLow(long now) {
        return deadline() - now <= comfort;
    }

    void extend(long now, LeaseEnd newEnd) {
        if (newEnd.reading() - deadline() > 0) {
            end = newEnd;
            from = now;
            comfort = (newEnd.granted() - now) / 3;
        }
    }
}
