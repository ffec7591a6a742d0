package io.holdfast.lock.core.local;

import org.jspecify.annotations.Nullable;

/**
 * The latest answer of the store that a waiter goes by, and what has put it in doubt since. Guarded by the mutex of the
 * {@link LocalLock}.
 */
final class LastAnswer {

    private @Nullable Answer answer;

    /** Whether the waiter asked for it itself; else the waiter before it left it. */
    private boolean own;

    /** Whether the store grants the lock to the waiter when it is its turn, and tells it. */
    private boolean followedByGrant;

    /** Whether the lock may have become free since. */
    private boolean wokenUp;

    /** Whether a waiter whose time is over needs a newer one. */
    private boolean newerWanted;

    private boolean asked;
    private long askedAt;

    @Nullable
    Answer answer() {
        return answer;
    }

    boolean isOwn() {
        return own;
    }

    boolean isFollowedByGrant() {
        return own && followedByGrant;
    }

    boolean isWokenUp() {
        return wokenUp;
    }

    boolean isNewerWanted() {
        return newerWanted;
    }

    /** The store is being asked. */
    void ask(long now) {
        asked = true;
        askedAt = now;
        wokenUp = false;
        newerWanted = false;
    }

    /**
     * The store refused.
     *
     * @param grantFollows whether it grants the lock to this waiter when it is its turn, and tells it
     */
    void refused(long now, long askAgainAt, boolean grantFollows) {
        answer = Answer.refused(askedAt, now, askAgainAt);
        own = true;
        followedByGrant = grantFollows;
    }

    /** The store granted the lock to this waiter: for the others of this client it is taken. */
    void granted(long now, long askAgainAt) {
        answer = Answer.grantedHere(askedAt, now, askAgainAt);
        wokenUp = false;
        newerWanted = false;
    }

    /** A hold of this client passed the lock on to this waiter: at that moment it was taken. */
    void passedOn(long now, long askAgainAt) {
        askedAt = now;
        granted(now, askAgainAt);
    }

    /** The lock may be free. */
    void wakeUp() {
        wokenUp = true;
    }

    /** A waiter that called at a reading of the clock needs an answer to a later request. */
    void wantSince(long calledAt) {
        newerWanted |= !asked || askedAt - calledAt < 0;
    }

    /** Whether the lock was certainly taken at some moment after a reading of the clock. */
    boolean isProofSince(long reading) {
        return answer != null && answer.isProofSince(reading);
    }

    /** Takes over the answer of the waiter before this one. Returns false if that has none, or a doubtful one. */
    boolean inherit(LastAnswer before) {
        boolean good = before.answer != null && !before.wokenUp && !before.newerWanted;
        if (good) {
            answer = before.answer;
            own = false;
        }
        return good;
    }
}
