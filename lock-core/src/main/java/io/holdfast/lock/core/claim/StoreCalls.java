package io.holdfast.lock.core.claim;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.core.runtime.VirtualThreads;
import io.holdfast.lock.spi.LockProvider;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;

/** Makes the calls of a provider, so that neither an interrupt nor a defect of the provider changes what they mean. */
public final class StoreCalls {

    private final Executor platformThreads;

    /** Creates the calls; those of virtual threads run on the given platform threads. */
    public StoreCalls(Executor platformThreads) {
        this.platformThreads = platformThreads;
    }

    /**
     * Makes a call. A pending interrupt is kept for later, as it would break connection pools that wait interruptibly: a
     * release must reach the store whatever became of its thread. What a provider throws against its contract, an
     * {@link Error} too, becomes an unknown outcome, never contention and never a grant.
     */
    public <T> T run(String operation, String lockName, Supplier<T> call) {
        return run(() -> operation + " the lock '" + lockName + "'", call);
    }

    /** Makes a call that is about no single lock, as the one above. */
    public <T> T run(String operation, Supplier<T> call) {
        return run(() -> operation, call);
    }

    /** Closes the provider, as any other call. */
    public void close(LockProvider provider) {
        boolean unused = run("close", () -> {
            provider.close();
            return true;
        });
    }

    private <T> T run(Supplier<String> what, Supplier<T> call) {
        boolean interrupted = Thread.interrupted();
        try {
            return VirtualThreads.isCurrent() ? onPlatformThread(what, call) : guarded(what, call);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static <T> T guarded(Supplier<String> what, Supplier<T> call) {
        try {
            return Objects.requireNonNull(call.get(), "it answered null");
        } catch (LockException outcome) {
            throw outcome;
        } catch (RuntimeException | Error defect) {
            throw new LockStoreException("The provider failed to " + what.get() + ": " + defect, defect);
        }
    }

    /** The JDK closes the socket that an interrupted virtual thread reads from: the call would fail on a healthy store. */
    private <T> T onPlatformThread(Supplier<String> what, Supplier<T> call) {
        CompletableFuture<T> answer;
        try {
            answer = CompletableFuture.supplyAsync(() -> guarded(what, call), platformThreads);
        } catch (RejectedExecutionException | OutOfMemoryError noThread) {
            // The client was closed, or the system starts no more threads: what is left to give back is worth the risk.
            return guarded(what, call);
        }
        try {
            return answer.join();
        } catch (CompletionException failed) {
            throw failed.getCause() instanceof LockException told ? told : failed;
        }
    }
}
