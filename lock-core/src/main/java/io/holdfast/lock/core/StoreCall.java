package io.holdfast.lock.core;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockStoreException;
import java.util.Objects;
import java.util.function.Supplier;

/** One call of a provider, made so that neither an interrupt nor a defect of the provider changes what it means. */
final class StoreCall {

    private StoreCall() {}

    /**
     * Makes a call. A pending interrupt is kept for later, as it would break connection pools that wait interruptibly: a
     * release must reach the store whatever became of its thread. What a provider throws against its contract becomes an
     * unknown outcome, never contention and never a grant.
     */
    static <T> T run(String operation, String lockName, Supplier<T> call) {
        boolean interrupted = Thread.interrupted();
        try {
            return Objects.requireNonNull(call.get(), "it answered null");
        } catch (LockException outcome) {
            throw outcome;
        } catch (RuntimeException defect) {
            throw new LockStoreException(
                    "The provider failed to " + operation + " the lock '" + lockName + "': " + defect, defect);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
