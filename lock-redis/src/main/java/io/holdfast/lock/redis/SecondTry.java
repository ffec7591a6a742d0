package io.holdfast.lock.redis;

import io.holdfast.lock.LockStoreException;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Repeats a request once, on a new connection, if its connection broke. A pooled connection that was cut while it was idle shows
 * that only when it is used, while the server is up.
 */
final class SecondTry {

    private SecondTry() {}

    /** Makes an idempotent request: an attempt, a renewal, a question. */
    static <T> T of(Supplier<T> request) {
        return of(request, answer -> true);
    }

    /**
     * Makes an idempotent request.
     *
     * @param conclusive whether the second answer also tells the outcome of the first request; if not, its failure is thrown
     */
    static <T> T of(Supplier<T> request, Predicate<T> conclusive) {
        try {
            return request.get();
        } catch (LockStoreException failure) {
            if (RedisFailures.brokeInUse(failure)) {
                T second = request.get();
                if (conclusive.test(second)) {
                    return second;
                }
            }
            throw failure;
        }
    }
}
