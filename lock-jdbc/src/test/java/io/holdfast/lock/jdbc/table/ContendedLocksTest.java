package io.holdfast.lock.jdbc.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.parts.Waits;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What a provider has seen of other clients, and its pause when it has released a lock for them. */
class ContendedLocksTest {

    private static final Duration PAUSE = Duration.ofMillis(3);

    private final ContendedLocks locks = new ContendedLocks();

    private Duration pauseBefore(String name) {
        long before = System.nanoTime();
        locks.letOthersGoFirst(name);
        return Duration.ofNanos(System.nanoTime() - before);
    }

    private boolean isAskedForAtOnce(String name) {
        locks.noteRelease("a");
        if (name.equals("a")) {
            locks.letOthersGoFirst("a");
        }
        return pauseBefore(name).compareTo(PAUSE) < 0;
    }

    @Test
    void firstThreadThatAsksForTheLockPauses() {
        long released = System.nanoTime();
        locks.noteRelease("a");
        locks.letOthersGoFirst("a");
        assertThat(Duration.ofNanos(System.nanoTime() - released)).isGreaterThanOrEqualTo(PAUSE);
    }

    /** On a busy machine a thread may stand still for longer than the pause: once it does not. */
    @Test
    void otherLocksAndLaterThreadsDoNotPause() {
        Waits.soon().until(() -> isAskedForAtOnce("b"));
        Waits.soon().until(() -> isAskedForAtOnce("a"));
    }

    @Test
    void interruptEndsThePauseAndIsKept() {
        Waits.soon().until(() -> {
            locks.noteRelease("a");
            Thread.currentThread().interrupt();
            Duration pause = pauseBefore("a");
            assertThat(Thread.interrupted()).isTrue();
            return pause.compareTo(PAUSE) < 0;
        });
    }

    /** A thread may stand still for longer: once it does not. */
    @Test
    void anotherClientCountsForAMoment() {
        Waits.soon().until(() -> {
            locks.noteRival("a");
            return locks.hasRival("a") && !locks.hasRival("b");
        });
        Waits.soon().until(() -> !locks.hasRival("a"));
    }

    @Test
    void ofMoreThanAThousandLocksTheLastDoNotCount() {
        Waits.soon().until(() -> {
            for (int i = 0; i <= 1_000; i++) {
                locks.noteRival("lock-" + i);
            }
            return locks.hasRival("lock-999") && !locks.hasRival("lock-1000");
        });
    }

    @Test
    void ofMoreThanAThousandLocksTheLastDoNotPause() {
        Waits.soon().until(() -> {
            for (int i = 0; i <= 1_000; i++) {
                locks.noteRelease("lock-" + i);
            }
            return pauseBefore("lock-1000").compareTo(PAUSE) < 0;
        });
    }
}
