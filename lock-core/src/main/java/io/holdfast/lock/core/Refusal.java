package io.holdfast.lock.core;

import java.time.Duration;

/**
 * Why the lock cannot be had for the time being. A contender that gives up leaves it to its successor, so that many who wait
 * cost the store no more than one does.
 */
sealed interface Refusal {

    /** The reading of the clock at which to ask the store, or to ask it again, if nothing is heard before. */
    long askAt(long now);

    /** Whether it proves that the lock was taken at some moment since a reading of the clock. */
    boolean isProofSince(long reading, long now);

    /**
     * The store has answered that somebody else has the lock.
     *
     * @param askedAt the reading of the clock before the request was sent
     * @param at the reading of the clock when the answer came
     * @param retryAt when to ask again
     */
    record ByStore(long askedAt, long at, long retryAt) implements Refusal {

        /**
         * An answer that is not older than this at the deadline stands. Else many waiters that give up together would each ask
         * the store what the first of them has just heard.
         */
        private static final Duration FRESH = Duration.ofMillis(100);

        @Override
        public long askAt(long now) {
            return retryAt;
        }

        @Override
        public boolean isProofSince(long reading, long now) {
            return askedAt - reading >= 0;
        }

        /** Whether a waiter whose time is up at a deadline may rely on it, instead of asking once more. */
        boolean standsAt(Deadline deadline) {
            return deadline.isOver(at)
                    || (deadline.kind() == Deadline.Kind.AT_TIME && deadline.at() - at <= FRESH.toNanos());
        }
    }

    /**
     * The client holds the lock itself, for another of its callers: the end of that hold wakes whoever waits. The store is asked
     * every now and then all the same, as an operator may have freed the lock there.
     *
     * @param hold the hold
     * @param pollAt when to ask the store
     */
    record ByOwnHold(Hold hold, long pollAt) implements Refusal {

        @Override
        public long askAt(long now) {
            if (!hold.isCertainAt(now) && !hold.isReleasing()) {
                return now;
            }
            return hold.deadline() - pollAt < 0 ? hold.deadline() : pollAt;
        }

        @Override
        public boolean isProofSince(long reading, long now) {
            return hold.isCertainAt(now);
        }
    }
}
