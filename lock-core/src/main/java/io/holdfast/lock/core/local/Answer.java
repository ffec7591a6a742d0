package io.holdfast.lock.core.local;

import java.time.Duration;

/**
 * The latest news that the lock is taken: the store's answer to an attempt, or a grant to another waiter of this client. Times
 * are readings of the monotonic clock.
 *
 * @param askedAt just before the request was sent
 * @param at when the answer came
 * @param askAgainAt when to ask again, if no wake-up comes first
 * @param grantedHere whether it was a grant to another waiter of this client, whose hold wakes the next one when it ends
 */
record Answer(long askedAt, long at, long askAgainAt, boolean grantedHere) {

    /**
     * How old an answer may be at a waiter's deadline to spare one last attempt. Many waiters that give up together would
     * otherwise each ask the store what the first of them has just heard.
     */
    private static final Duration FRESH = Duration.ofMillis(100);

    static Answer refused(long askedAt, long at, long askAgainAt) {
        return new Answer(askedAt, at, askAgainAt, false);
    }

    static Answer grantedHere(long askedAt, long at, long askAgainAt) {
        return new Answer(askedAt, at, askAgainAt, true);
    }

    /** Whether it shows that the lock was taken at some moment after a reading of the clock. */
    boolean isProofSince(long reading) {
        return askedAt - reading >= 0;
    }

    /** Whether a waiter with this deadline, which called at a reading of the clock, can give up on it without a last attempt. */
    boolean isLastWord(Deadline deadline, long calledAt) {
        boolean late = deadline.isOver(at)
                || (deadline.kind() == Deadline.Kind.AT_TIME && deadline.at() - at <= FRESH.toNanos());
        return late && isProofSince(calledAt);
    }
}
