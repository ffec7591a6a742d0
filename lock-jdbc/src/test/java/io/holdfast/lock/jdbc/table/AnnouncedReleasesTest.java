package io.holdfast.lock.jdbc.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.parts.Waits;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The pause of a provider that has released a lock for others. */
class AnnouncedReleasesTest {

    private static final Duration PAUSE = Duration.ofMillis(3);

    private final AnnouncedReleases releases = new AnnouncedReleases();

    private Duration pauseBefore(String name) {
        long before = System.nanoTime();
        releases.letOthersGoFirst(name);
        return Duration.ofNanos(System.nanoTime() - before);
    }

    private boolean isAskedForAtOnce(String name) {
        releases.add("a");
        if (name.equals("a")) {
            releases.letOthersGoFirst("a");
        }
        return pauseBefore(name).compareTo(PAUSE) < 0;
    }

    @Test
    void firstThreadThatAsksForTheLockPauses() {
        long released = System.nanoTime();
        releases.add("a");
        releases.letOthersGoFirst("a");
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
            releases.add("a");
            Thread.currentThread().interrupt();
            Duration pause = pauseBefore("a");
            assertThat(Thread.interrupted()).isTrue();
            return pause.compareTo(PAUSE) < 0;
        });
    }

    @Test
    void ofMoreThanAThousandLocksTheLastDoNotPause() {
        Waits.soon().until(() -> {
            for (int i = 0; i <= 1_000; i++) {
                releases.add("lock-" + i);
            }
            return pauseBefore("lock-1000").compareTo(PAUSE) < 0;
        });
    }
}
