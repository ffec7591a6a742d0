package io.holdfast.lock.jdbc;

import java.time.Duration;

/** How long something has lasted, by the monotonic clock. For one thread. */
final class Stopwatch {

    private long since = System.nanoTime();

    void restart() {
        since = System.nanoTime();
    }

    /** What is left of a time; negative when it is over. */
    Duration leftOf(Duration time) {
        return time.minusNanos(System.nanoTime() - since);
    }

    boolean hasRunFor(Duration time) {
        return System.nanoTime() - since >= time.toNanos();
    }
}
