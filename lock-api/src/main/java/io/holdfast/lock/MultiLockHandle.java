package io.holdfast.lock;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * One successful acquire of a {@link MultiLock}: held while all of its locks are. Like a {@link LockHandle} it may be used and
 * closed by any thread. Thread-safe. Not meant to be implemented by applications.
 */
public interface MultiLockHandle extends AutoCloseable {

    /**
     * The handle of each lock, with its name and its fencing token. Release the whole, not the parts.
     *
     * @return the handles, in the order of acquisition
     */
    List<LockHandle> handles();

    /**
     * Whether all the locks are held now, as {@link LockHandle#isHeld()} tells it.
     *
     * @return true if all are held
     */
    boolean isHeld();

    /**
     * How long all the locks are held at least, if no further renewal succeeds. No I/O.
     *
     * @return a lower bound; zero if one of them is not held
     */
    Duration remaining();

    /**
     * Throws unless enough of each lease is left for a critical step.
     *
     * @param atLeast how much must be left
     * @throws LockLostException if one of the locks was lost
     * @throws LockException if less than that is left of one, or if this handle was released
     */
    void requireRemaining(Duration atLeast);

    /**
     * Completes when the first of the locks is lost before this handle is released, with the cause; never after a successful
     * release.
     *
     * @return as that of {@link LockHandle#lost()}
     */
    CompletionStage<LossCause> lost();

    /**
     * Prolongs each lease to its full time from now, or finds out that a lock was lost. One round trip to the store for each
     * lock, whatever becomes of the others.
     *
     * @return true if all the locks are held and were prolonged; false if one was lost, or if this handle was released
     * @throws LockStoreException if the outcome of one is unknown: its earlier deadline stands
     */
    boolean renew();

    /**
     * Releases the locks, the last acquired first.
     *
     * @return true if all were held until now; false if one had been lost, or if this handle was released before
     * @throws LockStoreException if the outcome of one is unknown, as for {@link LockHandle#release()}; the others are
     *     released
     */
    boolean release();

    /**
     * Releases the locks, for try-with-resources. Closing again, or closing after {@link #release()}, does nothing.
     *
     * @throws LockLostException if one of the locks was lost before: work under it may have overlapped another holder's. Other
     *     failures are suppressed exceptions of it
     * @throws LockStoreException if none was lost and the outcome of one is unknown, as for {@link LockHandle#release()}
     */
    @Override
    void close();
}
