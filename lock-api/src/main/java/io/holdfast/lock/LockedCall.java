package io.holdfast.lock;

import org.jspecify.annotations.Nullable;

/**
 * Work under a lock that has a result, for {@link DistributedLock#call}. Implemented by applications.
 *
 * @param <T> the result
 * @param <X> the exception that the work may throw; the compiler infers it for a lambda
 */
@FunctionalInterface
public interface LockedCall<T extends @Nullable Object, X extends Exception> {

    /**
     * Does the work. The lock is held when this is called.
     *
     * @return the result
     * @throws X what the work throws
     */
    T call() throws X;
}
