package io.holdfast.lock.spi;

import io.holdfast.lock.ApiStatus;

/**
 * One contender's bid for one lock name. The engine calls it serially, from any thread: a claim needs no locks of its own for
 * what only these methods touch.
 *
 * <p>Each method is one bounded operation on the store. A {@link io.holdfast.lock.LockStoreException} means that its outcome is
 * unknown; the engine then decides what follows.
 */
@ApiStatus(ApiStatus.Level.EXPERIMENTAL)
public interface Claim {

    /**
     * Bids once, and never waits for another holder to leave. The record and its expiry are set in one atomic step.
     *
     * <p>If the store already has this claim as granted (a client library may have sent the bid twice), it is granted again
     * with the same token. If the answer is {@link Attempt.Contended} and the request's intent is to wait, a store that wakes
     * up by messages signals {@link ClaimSignals#mayBeFree()} for every release after that answer, and once when it can
     * promise this only from now on.
     *
     * @return granted or contended
     * @throws io.holdfast.lock.LockStoreException if the outcome is unknown
     */
    Attempt attempt();

    /**
     * Prolongs a granted claim to its full lease time from now, or proves that it is still this claim's. Never re-creates a
     * record that has vanished, and never touches another claim's.
     *
     * @return held or lost
     * @throws io.holdfast.lock.LockStoreException if the outcome is unknown
     */
    Renewal renew();

    /**
     * Frees the lock if this claim holds it, else withdraws the bid; compares and deletes in one atomic step. Also called
     * after an unknown attempt, and again after an unknown release. Needs no I/O where it is certain that the store knows
     * nothing of the claim.
     *
     * @return what was found
     * @throws io.holdfast.lock.LockStoreException if the outcome is unknown
     */
    Release release();
}
