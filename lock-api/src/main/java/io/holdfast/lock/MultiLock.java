package io.holdfast.lock;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/**
 * A lock over several names, made by {@link LockClient#all}: acquired all or none, under one deadline, always in the same order.
 * Immutable, cheap to make, thread-safe. Not meant to be implemented by applications.
 *
 * <p>Each method does what the one of the same name of {@link DistributedLock} does, and throws what that throws. An acquire
 * that ends without all the locks holds none of them; where one was lost while the others were waited for, it throws
 * {@link LockLostException}.
 */
public interface MultiLock {

    /**
     * The names of the locks.
     *
     * @return the names, each once, in the order in which they are acquired
     */
    List<String> names();

    /**
     * Waits for the locks for as long as it takes, runs an action under them, and releases them.
     *
     * @param <X> what the action throws
     * @param action the work
     * @throws X as {@link DistributedLock#run} does
     * @throws InterruptedException as {@link DistributedLock#run} does
     */
    <X extends Exception> void run(LockedAction<X> action) throws X, InterruptedException;

    /**
     * Waits for the locks for as long as it takes, makes a call under them, and releases them.
     *
     * @param <T> the result
     * @param <X> what the call throws
     * @param call the work
     * @return what the call returns
     * @throws X as {@link DistributedLock#call} does
     * @throws InterruptedException as {@link DistributedLock#call} does
     */
    <T extends @Nullable Object, X extends Exception> T call(LockedCall<T, X> call) throws X, InterruptedException;

    /**
     * Waits for the locks for a limited time and, if it gets them, runs an action under them and releases them.
     *
     * @param <X> what the action throws
     * @param maxWait how long to wait for all of them at most
     * @param action the work
     * @return true if the action ran; false if somebody else held one of the locks, and nothing was done
     * @throws X as {@link DistributedLock#tryRun} does
     * @throws InterruptedException as {@link DistributedLock#tryRun} does
     */
    <X extends Exception> boolean tryRun(Duration maxWait, LockedAction<X> action) throws X, InterruptedException;

    /**
     * Waits for the locks for a limited time and, if it gets them, makes a call under them and releases them.
     *
     * @param <T> the result
     * @param <X> what the call throws
     * @param maxWait how long to wait for all of them at most
     * @param call the work; its result must not be null
     * @return what the call returns; empty if somebody else held one of the locks, and nothing was done
     * @throws X as {@link DistributedLock#tryCall} does
     * @throws InterruptedException as {@link DistributedLock#tryCall} does
     */
    <T, X extends Exception> Optional<T> tryCall(Duration maxWait, LockedCall<T, X> call)
            throws X, InterruptedException;

    /**
     * Waits for the locks for as long as it takes.
     *
     * @return the hold
     * @throws InterruptedException as {@link DistributedLock#acquire()} does
     */
    MultiLockHandle acquire() throws InterruptedException;

    /**
     * Asks the store once for each name and never waits for another holder. Not interruptible.
     *
     * @return the hold; empty if somebody else holds one of the locks
     */
    Optional<MultiLockHandle> tryAcquire();

    /**
     * Waits for the locks for a limited time. Takes no longer than {@code maxWait} and two operations of the store for each
     * name.
     *
     * @param maxWait how long to wait for all of them at most; zero or less means one attempt for each
     * @return the hold; empty if somebody else held one of the locks
     * @throws InterruptedException as {@link DistributedLock#tryAcquire(Duration)} does
     */
    Optional<MultiLockHandle> tryAcquire(Duration maxWait) throws InterruptedException;

    /**
     * Waits for the locks without occupying a thread.
     *
     * @return as that of {@link DistributedLock#acquireAsync()}
     */
    CompletableFuture<MultiLockHandle> acquireAsync();

    /**
     * Waits for the locks for a limited time without occupying a thread.
     *
     * @param maxWait how long to wait for all of them at most; zero or less means one attempt for each
     * @return as that of {@link DistributedLock#tryAcquireAsync}
     */
    CompletableFuture<Optional<MultiLockHandle>> tryAcquireAsync(Duration maxWait);

    /**
     * These locks as one {@link Lock} of the JDK.
     *
     * @return the view, as {@link DistributedLock#asLock()} describes it
     */
    Lock asLock();
}
