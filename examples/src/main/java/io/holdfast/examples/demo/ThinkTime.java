package io.holdfast.examples.demo;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * How slow people are.
 *
 * @param longest how long a thought takes at most
 */
record ThinkTime(Duration longest) {

    /** Waits for between half the longest time and all of it. */
    void think() {
        long nanos = longest.toNanos();
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(nanos / 2, nanos + 1));
    }
}
