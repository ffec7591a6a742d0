package io.holdfast.lock.core;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockStoreException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;

/** Acquires one name. */
final class SingleAcquirer implements Acquirer {

    private final Engine engine;
    private final String lockName;
    private final LockOptions options;

    SingleAcquirer(Engine engine, String lockName, LockOptions options) {
        this.engine = engine;
        this.lockName = lockName;
        this.options = options;
    }

    @Override
    public List<String> names() {
        return List.of(lockName);
    }

    @Override
    public Optional<OwnHandle> acquire(OwnerId owner, Deadline deadline, Interrupts interrupts)
            throws InterruptedException {
        engine.requireOpen();
        CallerSteps steps = new CallerSteps();
        Acquisition acquisition = new Acquisition(engine, new Terms(lockName, owner, options, deadline), steps);
        if (interrupts == Interrupts.WAIT) {
            acquisition.begin();
            steps.runUntilFinishedWithoutInterrupt(acquisition);
            return outcome(acquisition);
        }
        if (Thread.interrupted()) {
            throw new InterruptedException("Interrupted before waiting for the lock '" + lockName + "'");
        }
        acquisition.begin();
        try {
            steps.runUntilFinished(acquisition);
        } catch (InterruptedException interrupt) {
            acquisition.abandon();
            steps.runUntilFinishedWithoutInterrupt(acquisition);
            throw interrupt;
        }
        try {
            return outcome(acquisition);
        } catch (LockStoreException failure) {
            if (Thread.interrupted()) {
                // The interrupt has broken the call off, as connection pools let it; the caller asked for the
                // interrupt.
                InterruptedException interrupt =
                        new InterruptedException("Interrupted while acquiring '" + lockName + "'");
                interrupt.addSuppressed(failure);
                throw interrupt;
            }
            throw failure;
        }
    }

    private static Optional<OwnHandle> outcome(Acquisition acquisition) {
        try {
            return acquisition.result().join();
        } catch (CompletionException failed) {
            throw failed.getCause() instanceof LockException told ? told : failed;
        }
    }

    @Override
    public CompletableFuture<Optional<OwnHandle>> acquireAsync(OwnerId owner, Deadline deadline) {
        Acquisition acquisition = new Acquisition(
                engine,
                new Terms(lockName, owner, options, deadline),
                engine.runtime().storeCalls());
        CompletableFuture<Optional<OwnHandle>> outcome = new CompletableFuture<>();
        // What depends on the outcome is the application's code: it runs where it can hold up nothing of ours.
        CompletableFuture<?> unused = acquisition
                .result()
                .whenComplete((handle, failure) -> engine.events().dispatch(() -> {
                    if (failure != null) {
                        outcome.completeExceptionally(failure);
                    } else {
                        outcome.complete(handle);
                    }
                }));
        acquisition.begin();
        return Handover.of(outcome, acquisition::abandon, Function.identity());
    }
}
