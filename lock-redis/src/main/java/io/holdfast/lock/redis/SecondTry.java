package io.holdfast.lock.redis;

import io.holdfast.lock.LockStoreException;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Makes a request once more, on a new connection, if its connection broke. A pooled connection shows only when it is used that it
 * was cut while it was idle, and the store is up then.
 */
final class SecondTry {

    private SecondTry() {}

    /** Makes a request that may arrive twice: an attempt, a renewal, a question. */
    static <T> T of(Supplier<T> request) {
        return of(request, answer -> true);
    }

    /**
     * Makes a request that may arrive twice.
     *
     * @param conclusive whether the second answer also tells what became of the first request; if not, its failure is thrown
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
