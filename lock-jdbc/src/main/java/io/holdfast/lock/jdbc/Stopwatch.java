package io.holdfast.lock.jdbc;

import java.time.Duration;

/** How long something has lasted, by the monotonic clock. For one thread. */
final class Stopwatch {

    private long since = System.nanoTime();

    void restart() {
        since = System.nanoTime();
    }

    boolean hasRunFor(Duration time) {
        return System.nanoTime() - since >= time.toNanos();
    }
}
