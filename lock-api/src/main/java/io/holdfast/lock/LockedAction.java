package io.holdfast.lock;

/**
 * Work under a lock that has no result, for {@link DistributedLock#run}. Implemented by applications.
 *
 * @param <X> the exception that the work may throw; the compiler infers it for a lambda
 */
@FunctionalInterface
public interface LockedAction<X extends Exception> {

    /**
     * Does the work. The lock is held when this is called.
     *
     * @throws X what the work throws
     */
    void run() throws X;
}
