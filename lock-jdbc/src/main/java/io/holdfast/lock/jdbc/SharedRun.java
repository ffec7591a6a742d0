package io.holdfast.lock.jdbc;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Work that one caller does for all callers at the time. One after the other, callers of a database that is down would
 * each wait for a time-out. Thread-safe.
 *
 * @param <T> the result
 */
final class SharedRun<T> {

    private final AtomicReference<CompletableFuture<T>> last =
            new AtomicReference<>(CompletableFuture.failedFuture(new IllegalStateException("nothing has run")));

    /**
     * Joins the current run, or else starts one.
     *
     * @param executor does the work
     */
    CompletableFuture<T> on(Executor executor, Supplier<T> work) {
        CompletableFuture<T> own = new CompletableFuture<>();
        CompletableFuture<T> current = last.updateAndGet(before -> before.isDone() ? own : before);
        if (current == own) {
            try {
                own.completeAsync(work, executor);
            } catch (RuntimeException | Error notStarted) {
                own.completeExceptionally(notStarted);
            }
        }
        return current;
    }

    /** Joins the current run, or else does the work on this thread. Throws what the work throws. */
    T here(Supplier<T> work) {
        try {
            return on(Runnable::run, work).join();
        } catch (CompletionException broken) {
            throw thrown(broken.getCause());
        }
    }

    /** What the work threw, to be rethrown. */
    static RuntimeException thrown(ExecutionException broken) {
        return thrown(broken.getCause());
    }

    private static RuntimeException thrown(@Nullable Throwable cause) {
        if (cause instanceof Error error) {
            throw error;
        }
        return cause instanceof RuntimeException known ? known : new IllegalStateException(cause);
    }
}
