package io.holdfast.lock.jdbc.table;

import java.time.Duration;

/** Measures elapsed time by the monotonic clock. Several threads may read one that is not restarted. */
public final class Stopwatch {

    private long since = System.nanoTime();

    /** Starts now. */
    public Stopwatch() {}

    /** Starts anew. */
    public void restart() {
        since = System.nanoTime();
    }

    /**
     * The rest of a time.
     *
     * @param time the time
     * @return the rest; negative when it is over
     */
    public Duration leftOf(Duration time) {
        return time.minusNanos(System.nanoTime() - since);
    }

    /**
     * Whether a time has elapsed.
     *
     * @param time the time
     * @return whether it is
     */
    public boolean hasRunFor(Duration time) {
        return System.nanoTime() - since >= time.toNanos();
    }
}
