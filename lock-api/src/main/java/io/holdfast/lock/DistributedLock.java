package io.holdfast.lock;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/**
 * A lock by its name: a way to acquire, which holds nothing itself. Immutable, cheap to make, thread-safe. Not meant to be
 * implemented by applications.
 *
 * <p>{@link #run}, {@link #call}, {@link #tryRun} and {@link #tryCall} acquire the lock, do some work and release the lock. The
 * others give a {@link LockHandle}, which the caller releases: for work that passes a fencing token on, reacts to a loss, or
 * ends on another thread.
 *
 * <p>Every acquire either gets the lock, or says that somebody else holds it, or throws. An acquire that throws adds no hold; the
 * earlier holds of its owner stay.
 */
public interface DistributedLock {

    /** The longest name of a lock: {@value} characters (UTF-16 code units). */
    int MAX_NAME_LENGTH = 1024;

    /**
     * Returns a name if a lock may have it: any valid Unicode text of 1 to {@value #MAX_NAME_LENGTH} characters,
     * case-sensitive.
     *
     * @param name the name of a lock
     * @return the same name
     * @throws LockConfigurationException if the name is empty, too long or not valid Unicode
     */
    static String requireValidName(String name) {
        return LockNames.requireValid(name);
    }

    /**
     * The name of the lock.
     *
     * @return the name
     */
    String name();

    /**
     * Waits for the lock for as long as it takes, runs an action under it, and releases it.
     *
     * <p>If the action throws, the caller gets its exception; a loss or a failed release is a suppressed exception of it. A
     * {@link LockStoreException} or {@link LockLostException} may come before the action or after it: if the action must not run
     * twice, note in it that it ran.
     *
     * @param <X> what the action throws
     * @param action the work
     * @throws X if the action throws it
     * @throws InterruptedException as {@link #acquire()} does
     * @throws LockLostException as {@link #acquire()} does; also if the action did not throw and the lock was lost before it
     *     ended: its work may have overlapped another holder's
     * @throws LockStoreException as {@link #acquire()} and {@link LockHandle#close()} do
     * @throws LockConfigurationException as {@link #acquire()} does
     * @throws LockClientClosedException as {@link #acquire()} does
     */
    <X extends Exception> void run(LockedAction<X> action) throws X, InterruptedException;

    /**
     * Waits for the lock for as long as it takes, makes a call under it, and releases it.
     *
     * @param <T> the result
     * @param <X> what the call throws
     * @param call the work
     * @return what the call returns
     * @throws X if the call throws it
     * @throws InterruptedException as {@link #run} does
     * @throws LockException as {@link #run} does; after the call its result is lost then
     */
    <T extends @Nullable Object, X extends Exception> T call(LockedCall<T, X> call) throws X, InterruptedException;

    /**
     * Waits for the lock for a limited time and, if it gets it, runs an action under it and releases it.
     *
     * @param <X> what the action throws
     * @param maxWait how long to wait at most, as for {@link #tryAcquire(Duration)}
     * @param action the work
     * @return true if the action ran; false if somebody else held the lock, and nothing was done
     * @throws X if the action throws it
     * @throws InterruptedException as {@link #run} does
     * @throws LockException as {@link #run} does
     */
    <X extends Exception> boolean tryRun(Duration maxWait, LockedAction<X> action) throws X, InterruptedException;

    /**
     * Waits for the lock for a limited time and, if it gets it, makes a call under it and releases it.
     *
     * @param <T> the result
     * @param <X> what the call throws
     * @param maxWait how long to wait at most, as for {@link #tryAcquire(Duration)}
     * @param call the work; its result must not be null
     * @return what the call returns; empty if somebody else held the lock, and nothing was done
     * @throws X if the call throws it
     * @throws NullPointerException if the call returns null, which could not be told from a lock that was not acquired; the
     *     work is done, and the lock is released
     * @throws InterruptedException as {@link #run} does
     * @throws LockException as {@link #run} does
     */
    <T, X extends Exception> Optional<T> tryCall(Duration maxWait, LockedCall<T, X> call)
            throws X, InterruptedException;

    /**
     * Waits for the lock for as long as it takes. Waiting threads of one client are served in the order in which they began to
     * wait; one of them at a time asks the store.
     *
     * @return the hold
     * @throws InterruptedException if the thread was interrupted before or during the wait; nothing is held
     * @throws LockConfigurationException if the store cannot keep a lock of this name; nothing is held
     * @throws LockStoreException if the store fails; nothing is held
     * @throws LockLostException if the lock was granted and lost before it could be handed out, because the answer of the
     *     store took longer than the lease; nothing is held
     * @throws LockClientClosedException if the client is closed, before or during the wait
     */
    LockHandle acquire() throws InterruptedException;

    /**
     * Asks the store at most once and never waits for another holder. Not interruptible.
     *
     * @return the hold; empty if somebody else holds the lock
     * @throws LockConfigurationException if the store cannot keep a lock of this name; nothing is held
     * @throws LockStoreException if the store fails; nothing is held
     * @throws LockLostException as {@link #acquire()} does; nothing is held
     * @throws LockClientClosedException if the client is closed
     */
    Optional<LockHandle> tryAcquire();

    /**
     * Waits for the lock for a limited time. Takes no longer than {@code maxWait} and two operations of the store: the last
     * attempt and, where it fails, the withdrawal of the claim.
     *
     * <p>When its time is over, a waiter that has asked the store asks it once more. One that stood behind others of its client,
     * which ask for it, gives up on the latest answer that they got during its call, or if this client holds the lock.
     *
     * @param maxWait how long to wait at most; zero or less means one attempt
     * @return the hold; empty if somebody else held the lock
     * @throws InterruptedException if the thread was interrupted before or during the wait; nothing is held
     * @throws LockConfigurationException if the store cannot keep a lock of this name; nothing is held
     * @throws LockStoreException if the store fails; nothing is held
     * @throws LockLostException as {@link #acquire()} does; nothing is held
     * @throws LockClientClosedException if the client is closed, before or during the wait
     */
    Optional<LockHandle> tryAcquire(Duration maxWait) throws InterruptedException;

    /**
     * Waits for the lock without occupying a thread. Cancelling the future ends the wait; a grant that comes too late is
     * given back.
     *
     * @return completes with the hold, or exceptionally with what {@link #acquire()} would throw, except an interrupt
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
     * <p>{@code unlock} by a thread that has not locked it through such a view throws {@link IllegalMonitorStateException};
     * {@code unlock} after a loss throws {@link LockLostException}; {@code newCondition} is not supported. All else is as
     * {@link Lock} says; locking throws what {@link #acquire()} throws.
     *
     * @return the view; all views of locks with one name from one client are the same lock
     */
    Lock asLock();
}
