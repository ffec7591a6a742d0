package io.holdfast.lock;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Lock;

/**
 * A lock by its name: a way to acquire, which holds nothing itself. Immutable, cheap to make, thread-safe. Not meant to be
 * implemented by applications.
 *
 * <p>Every acquire either gives a {@link LockHandle}, or says that the lock is held by somebody else, or throws. An acquire
 * that throws holds nothing.
 */
@ApiStatus(ApiStatus.Level.EXPERIMENTAL)
public interface DistributedLock {

    /**
     * The name of the lock.
     *
     * @return the name; for a lock over several names the names in order, separated by {@code ", "}
     */
    String name();

    /**
     * Waits for the lock for as long as it takes. Waiting threads of one client get their turn in order; the store sees one
     * of them at a time.
     *
     * @return the hold
     * @throws InterruptedException if the thread was interrupted before or during the wait; nothing is held
     * @throws LockConfigurationException if the store cannot keep a lock of this name; nothing is held
     * @throws LockStoreException if the store fails; nothing is held
     * @throws LockClientClosedException if the client is closed, before or during the wait
     */
    LockHandle acquire() throws InterruptedException;

    /**
     * Asks the store once and never waits for another holder. Not interruptible.
     *
     * @return the hold; empty if somebody else holds the lock
     * @throws LockConfigurationException if the store cannot keep a lock of this name; nothing is held
     * @throws LockStoreException if the store fails; nothing is held
     * @throws LockClientClosedException if the client is closed
     */
    Optional<LockHandle> tryAcquire();

    /**
     * Waits for the lock for a limited time. Takes no longer than {@code maxWait} and two operations of
     * the store for each name: the last attempt and, where it fails, the withdrawal of the bid.
     *
     * <p>A refusal is good for 100 ms: where the wait ends that soon after the store refused this acquire, or the one before
     * it in this client, the store need not be asked again. A lock that becomes free in between may be missed.
     *
     * @param maxWait how long to wait at most; zero or less means one attempt
     * @return the hold; empty if somebody else held the lock whenever the store was asked
     * @throws InterruptedException if the thread was interrupted before or during the wait; nothing is held
     * @throws LockConfigurationException if the store cannot keep a lock of this name; nothing is held
     * @throws LockStoreException if the store fails; nothing is held
     * @throws LockClientClosedException if the client is closed, before or during the wait
     */
    Optional<LockHandle> tryAcquire(Duration maxWait) throws InterruptedException;

    /**
     * Waits for the lock without occupying a thread. Cancelling the future ends the wait; a grant that comes too late is
     * given back.
     *
     * @return completes with the hold, or exceptionally with what {@link #acquire()} would throw
     */
    CompletableFuture<LockHandle> acquireAsync();

    /**
     * Waits for the lock for a limited time without occupying a thread. Cancelling the future ends the wait; a grant that
     * comes too late is given back.
     *
     * @param maxWait how long to wait at most; zero or less means one attempt
     * @return completes with the hold, or with empty where {@link #tryAcquire(Duration)} gives empty, or exceptionally with
     *     what it would throw
     */
    CompletableFuture<Optional<LockHandle>> tryAcquireAsync(Duration maxWait);

    /**
     * This lock as a {@link Lock} of the JDK, owned by the thread that locks it and reentrant, whatever owner the options
     * name.
     *
     * <p>{@code unlock} by a thread that does not hold it throws {@link IllegalMonitorStateException}; {@code unlock} after
     * a loss throws {@link LockLostException}; {@code newCondition} is not supported. All else is as {@link Lock} says; a
     * failure of the store is a {@link LockStoreException}, a name that the store cannot keep a
     * {@link LockConfigurationException}.
     *
     * @return the view; all views of locks with one name from one client are the same lock
     */
    Lock asLock();
}
