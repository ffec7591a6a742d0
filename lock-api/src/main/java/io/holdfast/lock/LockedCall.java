package io.holdfast.lock;

/**
 * Work under a lock that has a result, for {@link DistributedLock#call}. Implemented by applications.
 *
 * @param <T> the result
 * @param <X> the checked exception that it may throw; none if it is not named
 */
@ApiStatus(ApiStatus.Level.EXPERIMENTAL)
@FunctionalInterface
public interface LockedCall<T, X extends Exception> {

    /**
     * Does the work. The lock is held when this is called.
     *
     * @return the result
     * @throws X what the work throws
     */
    T call() throws X;
}
