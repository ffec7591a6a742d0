package io.holdfast.lock.core;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.LossCause;
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
 *
 * <p>It waits twice, for {@link #PATIENCE} each time at most: for holds and bids to be given back, then for acquires of unknown
 * outcome to be undone. What the provider's own close takes comes on top.
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
        List<Hold> held = engine.holds().all();
        held.forEach(hold -> hold.lose(LossCause.CLIENT_CLOSED));
        List<Acquisition> unfinished = List.copyOf(engine.acquisitions());
        unfinished.forEach(Acquisition::endByClose);
        List<CompletableFuture<Void>> givenBack =
                held.stream().map(hold -> inBackground(hold::giveUp)).toList();
        // What an acquire ends with is told to its caller; here it only has to have ended.
        await(Stream.concat(
                givenBack.stream(),
                unfinished.stream().map(acquisition -> acquisition.result().handle((handle, failure) -> true))));
        // Only now, as an acquire that ends badly leaves one more claim to be undone.
        await(engine.abandoned().pending().stream().map(this::inBackground));
        List<LockException> failures = failuresOf(givenBack);
        try {
            engine.provider().close();
        } catch (RuntimeException failure) {
            failures.add(asLockException(failure));
        }
        engine.runtime().shutdown().run();
        if (!failures.isEmpty()) {
            LockStoreException told = new LockStoreException(
                    "The client is closed, but not everything could be given back; it ends with its lease");
            failures.forEach(told::addSuppressed);
            throw told;
        }
    }

    private CompletableFuture<Void> inBackground(Runnable storeCall) {
        return CompletableFuture.runAsync(storeCall, engine.runtime().storeCalls());
    }

    /** Waits until all are done or the patience is over; an interrupt waits, as what is given back must reach the store. */
    private static void await(Stream<? extends CompletableFuture<?>> tasks) {
        CompletableFuture<Void> whole = CompletableFuture.allOf(tasks.toArray(CompletableFuture<?>[]::new));
        boolean interrupted = false;
        boolean waiting = true;
        while (waiting) {
            try {
                whole.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
                waiting = false;
            } catch (InterruptedException later) {
                interrupted = true;
            } catch (ExecutionException | TimeoutException toldForEachTask) {
                waiting = false;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static List<LockException> failuresOf(List<CompletableFuture<Void>> tasks) {
        List<LockException> failures = new ArrayList<>();
        for (CompletableFuture<?> task : tasks) {
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

    private static LockException asLockException(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return cause instanceof LockException told ? told : new LockStoreException("Closing failed: " + cause, failure);
    }
}
