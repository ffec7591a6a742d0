package io.holdfast.lock.core.local;

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
}
