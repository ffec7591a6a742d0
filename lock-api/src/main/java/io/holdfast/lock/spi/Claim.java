package io.holdfast.lock.spi;

/**
 * A claim to one lock name, made for one acquire. The engine calls it serially, from any thread, and
 * {@link LockProvider#renewAll} with it only while no method of it runs: fields that these alone use need no guard.
 * {@link LockProvider#renewalGroup} may be called at any time.
 *
 * <p>Each method is one bounded operation on the store. A {@link io.holdfast.lock.LockStoreException} means that its outcome is
 * unknown; the engine then decides what follows.
 */
public interface Claim {

    /**
     * Asks for the lock once; never waits for another holder to leave. The record and its expiry are set in one atomic step.
     *
     * <p>If the store has granted this claim already (a client library may have sent the request twice), it is granted again
     * with the same token. The lease begins anew, and the grant has one token.
     *
     * <p>If the answer is {@link Attempt.Contended} and the request's intent is to wait, a provider with
     * {@link io.holdfast.lock.LockCapabilities.WakeUp#PUSH} and without a {@link ReleaseFeed} signals
     * {@link ClaimSignals#mayBeFree()} for every release after that answer, and once if it can promise this only from now on. A
     * store that serves waiting claims in order signals only to the one whose turn it is.
     *
     * @return granted or contended
     * @throws io.holdfast.lock.LockStoreException if the outcome is unknown
     */
    Attempt attempt();

    /**
     * As {@link #attempt()}, and reserves several tokens for a grant: its fencing token and those that follow it. The engine
     * gives one to each holder to whom it passes the claim on, without asking the store. No other grant of the name may get a
     * token up to the last of them, however many of them are used.
     *
     * <p>A provider that cannot reserve any, or not so many, gives fewer: {@link Attempt.Granted#tokens()} says how many. One
     * that does not override this method gives one. A claim that is granted again has one token. Two claims of one
     * owner in two clients share one token.
     *
     * @param tokens how many are wanted: at least 1, and at most one more than {@link io.holdfast.lock.LockOptions#MAX_HAND_OVER}
     * @return granted or contended
     * @throws io.holdfast.lock.LockStoreException if the outcome is unknown
     */
    default Attempt attemptFor(int tokens) {
        return attempt();
    }

    /**
     * Prolongs a granted claim to its full lease time from now, or proves that it is still this claim's. Never re-creates a
     * record that has vanished, and never touches another claim's.
     *
     * @return held or lost
     * @throws io.holdfast.lock.LockStoreException if the outcome is unknown
     */
    Renewal renew();

    /**
     * Frees the lock if this claim holds it, else removes what the claim has left at the store, such as its place in a queue;
     * compares and deletes in one atomic step. Also called after an unknown attempt, and again after an unknown release. Needs no
     * I/O if the store certainly does not know the claim.
     *
     * @return what was found
     * @throws io.holdfast.lock.LockStoreException if the outcome is unknown
     */
    Release release();
}
