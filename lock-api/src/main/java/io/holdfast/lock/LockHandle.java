package io.holdfast.lock;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * One successful acquire. The handle is the hold: any thread may use or close it, at any time.
 *
 * <p>Handles of one owner for one lock name share one claim; the lock is free after the last of them is released. A handle that
 * nothing refers to any more can be released by nobody: its lock is not renewed and ends with its lease, with a warning in the
 * log. A local variable that is not used again does not count: keep the handle in a field, or use try-with-resources.
 * Thread-safe. Not meant to be implemented by applications.
 */
public interface LockHandle extends AutoCloseable {

    /**
     * The name of the lock.
     *
     * @return the name
     */
    String name();

    /**
     * The fencing token of the grant, fixed for as long as the handle lives. Pass it along with every write to the resource
     * that the lock protects, and let the resource refuse tokens smaller than the highest one that it has seen.
     *
     * <p>All stores of this project have tokens. {@link LockOptions#requireFencing} refuses one without them when the lock is
     * made, before anything is locked.
     *
     * @return the token
     * @throws UnsupportedCapabilityException if the store has no tokens ({@link LockCapabilities.Fencing#NONE})
     */
    FencingToken fencingToken();

    /**
     * The fencing token with the name of the lock, as the guards of resources take it, in epoch 0.
     *
     * @return the token
     * @throws UnsupportedCapabilityException if the store has no tokens ({@link LockCapabilities.Fencing#NONE})
     */
    default NamedToken namedToken() {
        return new NamedToken(name(), 0, fencingToken());
    }

    /**
     * Whether the lock is held now, as far as this process can know: computed from the monotonic clock at each call, false as
     * soon as the lease may have ended, after a loss and after the release. No I/O.
     *
     * @return true if the lock is held
     */
    boolean isHeld();

    /**
     * How long the lock is held at least, if no further renewal succeeds. No I/O.
     *
     * @return a lower bound; zero if the lock is not held
     */
    Duration remaining();

    /**
     * Throws unless enough of the lease is left for a critical step. Reads the clock only; it does not renew.
     *
     * @param atLeast how much must be left
     * @throws LockLostException if the lock was lost
     * @throws LockException if less than that is left, because renewals are failing or because the lease is shorter than what
     *     was asked for; also if this handle was released
     */
    void requireRemaining(Duration atLeast);

    /**
     * Completes when the lock is lost before this handle is released, with the cause; never after a successful release.
     * Actions that were added before the loss run on the client's callback threads, never on one that renews leases; one that
     * is added later runs at once, on the thread that adds it.
     *
     * @return always the same stage, which only the loss completes; {@link CompletionStage#toCompletableFuture()} makes a copy,
     *     to wait for it or to set a time-out
     */
    CompletionStage<LossCause> lost();

    /**
     * Prolongs the lease to its full time from now, or finds out that the lock was lost. One round trip to the store.
     *
     * @return true if the lock is held and was prolonged; false if it was lost or released
     * @throws LockStoreException if the outcome is unknown: the earlier deadline stands
     */
    boolean renew();

    /**
     * Releases this hold. The lock is free for the next claimant when the last handle of its owner is released.
     *
     * @return true if the lock was held until now; false if it had been lost, or if this handle was released before
     * @throws LockStoreException if the outcome is unknown. The handle is not held any more; the store is asked again in the
     *     background, and by another release, which returns true if it freed the lock. The lock is free at the latest when its
     *     lease ends
     */
    boolean release();

    /**
     * Releases the hold, for try-with-resources. Closing again, or closing after {@link #release()}, does nothing.
     *
     * @throws LockLostException if the lock was lost before: work under it may have overlapped another holder's
     * @throws LockStoreException if the outcome is unknown, as for {@link #release()}
     */
    @Override
    void close();
}
