package io.holdfast.lock.redis;

import java.time.Duration;

/** The time since this was created, by the monotonic clock. */
final class PassedTime {

    private final long since = System.nanoTime();

    Duration time() {
        return Duration.ofNanos(System.nanoTime() - since);
    }

    /** The time from this one's creation to a later one's. */
    Duration until(PassedTime later) {
        return Duration.ofNanos(later.since - since);
    }

    /** What is left of a limit: zero or less once it has passed. */
    Duration leftOf(Duration limit) {
        return limit.minus(time());
    }

    boolean isLessThan(Duration limit) {
        return time().compareTo(limit) < 0;
    }
}
