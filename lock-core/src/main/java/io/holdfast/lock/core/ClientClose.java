package io.holdfast.lock.core;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockStoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/**
 * The closing of a client: waiting acquires end, holds are given up, then the provider and the threads go. All of it is tried
 * whatever fails, and what fails is thrown at the end.
 */
final class ClientClose implements Runnable {

    /** How long to wait for the store to take back holds and bids; what it does not take ends with its lease. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Engine engine;
    private final AtomicBoolean begun = new AtomicBoolean();

    ClientClose(Engine engine) {
        this.engine = engine;
    }

    @Override
    public void run() {
        if (!begun.compareAndSet(false, true)) {
            return;
        }
        engine.markClosed();
        List<LockException> failures = new ArrayList<>();
        List<Acquisition> unfinished = List.copyOf(engine.acquisitions());
        unfinished.forEach(Acquisition::endByClose);
        List<CompletableFuture<Void>> givenBack = Stream.concat(
                        engine.holds().all().stream().<Runnable>map(hold -> hold::abandon),
                        engine.abandoned().pending().stream())
                .map(task -> CompletableFuture.runAsync(task, engine.runtime().storeCalls()))
                .toList();
        // What an acquire ends with is told to its caller; here it only has to have ended.
        await(unfinished.stream().map(acquisition -> acquisition.result().handle((handle, failure) -> true)));
        failures.addAll(await(givenBack.stream()));
        try {
            StoreCall.run("close", "", () -> {
                engine.provider().close();
                return true;
            });
        } catch (LockException failure) {
            failures.add(failure);
        }
        engine.runtime().shutdown().run();
        if (!failures.isEmpty()) {
            LockStoreException told = new LockStoreException(
                    "The client is closed, but not everything could be given back; it ends with its lease");
            failures.forEach(told::addSuppressed);
            throw told;
        }
    }

    /** Waits for all, with patience for all of them together; returns the failures. */
    private static List<LockException> await(Stream<? extends CompletableFuture<?>> tasks) {
        List<LockException> failures = new ArrayList<>();
        CompletableFuture<?>[] all = tasks.toArray(CompletableFuture<?>[]::new);
        awaitQuietly(CompletableFuture.allOf(all));
        for (CompletableFuture<?> task : all) {
            if (!task.isDone()) {
                failures.add(new LockStoreException("The store did not answer within " + PATIENCE.toSeconds() + " s"));
            } else if (task.isCompletedExceptionally()) {
                task.exceptionally(failure -> {
                    failures.add(asLockException(failure));
                    return null;
                });
            }
        }
        return failures;
    }

    /** Waits until all are done or the patience is over; an interrupt waits, as what is given back must reach the store. */
    private static void awaitQuietly(CompletableFuture<Void> whole) {
        boolean interrupted = Thread.interrupted();
        try {
            whole.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException hurry) {
            interrupted = true;
        } catch (ExecutionException | TimeoutException toldForEachTask) {
            return;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static LockException asLockException(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return cause instanceof LockException told ? told : new LockStoreException("Closing failed: " + cause, failure);
    }
}
