package io.holdfast.lock.tck;

import java.time.Duration;

/**
 * The time after the release of a lock for which claims wait. A store keeps the lock free for the first of them for some time
 * only: what it says later tells nothing of the order.
 */
final class Reservation {

    private final Duration kept;
    private final long begun = Pace.now();

    /**
     * Begins just before the release.
     *
     * @param kept for how long a store waits for the first claim, at the least
     */
    Reservation(Duration kept) {
        this.kept = kept;
    }

    /** Whether there is time for one more question before the first claim attempts. */
    boolean leavesTime() {
        return Pace.since(begun).compareTo(kept.dividedBy(4)) < 0;
    }

    /** Asks the store something while nobody holds the lock. A wrong answer that came late is inconclusive. */
    void asks(Runnable question) {
        try {
            question.run();
        } catch (AssertionError wrong) {
            if (Pace.since(begun).compareTo(kept) <= 0) {
                throw wrong;
            }
            throw InconclusiveError.tooSlow(
                    Pace.since(begun).toMillis() + " ms after the release of a lock that others wait for, ", wrong);
        }
    }
}
