package io.holdfast.lock.jdbc;

import io.holdfast.parts.Waits;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The pause of a client that has released a lock for others. A single measurement proves nothing: the machine may be slow, or end a pause early. */
class GivenUpLocksTest {

    private static final Duration PAUSE = Duration.ofMillis(3);

    private final GivenUpLocks locks = new GivenUpLocks();

    private Duration pauseBeforeAskingFor(String name) {
        long before = System.nanoTime();
        locks.letOthersGoFirst(name);
        return Duration.ofNanos(System.nanoTime() - before);
    }

    private boolean pausesForTheLockThatWasReleased() {
        long released = System.nanoTime();
        locks.add("a");
        locks.letOthersGoFirst("a");
        return System.nanoTime() - released >= PAUSE.toNanos();
    }

    private boolean asksForAnotherAtOnce() {
        locks.add("a");
        return pauseBeforeAskingFor("b").compareTo(PAUSE) < 0;
    }

    private boolean asksASecondTimeAtOnce() {
        locks.add("a");
        locks.letOthersGoFirst("a");
        return pauseBeforeAskingFor("a").compareTo(PAUSE) < 0;
    }

    @Test
    void pausesOnceForEachReleaseOfThatLock() {
        Waits.soon().until(this::asksForAnotherAtOnce);
        Waits.soon().until(this::asksASecondTimeAtOnce);
        for (int round = 0; round < 20; round++) {
            Waits.soon().until(this::pausesForTheLockThatWasReleased);
        }
    }
}
