package io.holdfast.lock.core.runtime;

import java.time.Duration;

/** Durations from outside as nanoseconds that can be added to a reading of the clock. */
public final class Nanos {

    /** Longer is as good as this, and its nanoseconds would not fit. */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private Nanos() {}

    public static long of(Duration duration) {
        if (duration.isNegative()) {
            return 0;
        }
        return (duration.compareTo(LONGEST) > 0 ? LONGEST : duration).toNanos();
    }
}
