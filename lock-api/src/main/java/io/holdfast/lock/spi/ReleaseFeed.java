package io.holdfast.lock.spi;

/**
 * The messages that a store sends when a lock is released. A provider whose store has them hands out a feed by
 * {@link LockProvider#releases}; the engine decides which names are listened to, and lets waiters poll while the feed is
 * interrupted.
 *
 * <p>The engine calls the methods one at a time, from any thread. They return at once: what they start is answered through the
 * {@link Listener}.
 */
public interface ReleaseFeed {

    /**
     * Starts to deliver the releases of a name, until {@link #unsubscribe}. {@link Listener#listening} follows, perhaps before
     * this returns, and follows again each time the connection to the store was replaced. While a feed does not listen to a name,
     * the engine calls this again with each attempt of a waiter; a feed that is trying already does nothing then.
     *
     * @param name the name of the lock
     */
    void subscribe(String name);

    /**
     * Stops delivering the releases of a name.
     *
     * @param name the name of the lock
     */
    void unsubscribe(String name);

    /**
     * Whether a release is reported only to the client whose claim comes next: a store that keeps waiting claims in a line tells
     * no others. The engine then has each waiter that becomes the first of its client attempt by itself, so that the store knows
     * it. Constant; no I/O.
     *
     * <p>This implementation says that every client hears of every release, at least of one for which a claim waits.
     *
     * @return true if a client without a refused claim hears nothing
     */
    default boolean reachesRefusedClaimsOnly() {
        return false;
    }

    /**
     * Where a feed reports. Any thread may call it; the calls return at once and throw nothing. A feed calls it without any lock
     * that {@link #subscribe} or {@link #unsubscribe} may wait for. Not meant to be implemented by vendors.
     */
    interface Listener {

        /**
         * Every release of the name from now on is reported for which somebody waits: a claim with
         * {@link ClaimRequest.Intent#WAIT} was refused since the grant; if only refused claims are reached, a claim of this
         * client that comes next. Earlier ones may have been missed.
         *
         * @param name the name of the lock
         */
        void listening(String name);

        /**
         * A lock was released. A hint: one too many costs an attempt. A feed that sees states, and no messages, reports each
         * change that may hide a release, such as another holder.
         *
         * @param name the name of the lock
         */
        void released(String name);

        /**
         * Releases of the name may be missed until {@link #listening} is called again, which the feed tries to bring about. Not
         * needed before the first {@link #listening}: until then waiters poll.
         *
         * @param name the name of the lock
         */
        void interrupted(String name);
    }
}
