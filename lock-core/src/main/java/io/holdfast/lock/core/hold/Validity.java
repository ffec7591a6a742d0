package io.holdfast.lock.core.hold;

import java.time.Duration;

/**
 * How long a hold is certain, by the monotonic clock. The end only ever moves forward. Written under the hold's mutex, read by
 * anybody.
 */
final class Validity {

    private volatile long deadline;

    /** How much must be left to nest without a renewal: a third of what was granted, which may be less than was asked for. */
    private volatile long comfort;

    Validity(long now, long deadline) {
        this.deadline = deadline;
        this.comfort = (deadline - now) / 3;
    }

    long deadline() {
        return deadline;
    }

    boolean isOver(long now) {
        return now - deadline >= 0;
    }

    Duration remaining(long now) {
        return Duration.ofNanos(Math.max(0, deadline - now));
    }

    boolean isComfortable(long now) {
        return deadline - now >= comfort;
    }

    /** Whether at most that much is left. */
    boolean isLow(long now) {
        return deadline - now <= comfort;
    }

    void extend(long now, long newDeadline) {
        if (newDeadline - deadline > 0) {
            deadline = newDeadline;
            comfort = (newDeadline - now) / 3;
        }
    }
}
