package io.holdfast.lock.core.client;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.core.claim.OwnerId;
import io.holdfast.lock.core.hold.HoldHandle;
import io.holdfast.lock.core.hold.Services;
import io.holdfast.lock.core.local.Deadline;
import io.holdfast.lock.core.local.LocalLocks;
import io.holdfast.lock.core.local.LockRequest;
import io.holdfast.lock.core.local.Waiter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;

/** Acquires one name. */
final class SingleAcquirer implements Acquirer<HoldHandle> {

    private final Services services;
    private final LocalLocks locks;
    private final String lockName;
    private final LockOptions options;

    SingleAcquirer(Services services, LocalLocks locks, String lockName, LockOptions options) {
        this.services = services;
        this.locks = locks;
        this.lockName = lockName;
        this.options = options;
    }

    @Override
    public List<String> names() {
        return List.of(lockName);
    }

    @Override
    public Optional<HoldHandle> acquire(OwnerId owner, Deadline deadline, Interrupts interrupts)
            throws InterruptedException {
        locks.requireOpen();
        boolean ends = interrupts == Interrupts.END_THE_WAIT;
        if (ends && Thread.interrupted()) {
            throw new InterruptedException("Interrupted before waiting for the lock '" + lockName + "'");
        }
        CallerSteps steps = new CallerSteps();
        Waiter waiter = locks.acquire(request(owner, deadline), steps);
        if (!ends) {
            steps.runUntilEndedWithoutInterrupt(waiter);
            return outcome(waiter);
        }
        try {
            steps.runUntilEnded(waiter);
        } catch (InterruptedException interrupt) {
            waiter.abandon();
            steps.runUntilEndedWithoutInterrupt(waiter);
            discardOutcome(waiter, HoldHandle::discard);
            throw interrupt;
        }
        try {
            return outcome(waiter);
        } catch (LockStoreException failure) {
            if (Thread.interrupted()) {
                // The interrupt has broken the call off, as connection pools let it; the caller asked for it.
                InterruptedException interrupt =
                        new InterruptedException("Interrupted while acquiring '" + lockName + "'");
                interrupt.addSuppressed(failure);
                throw interrupt;
            }
            throw failure;
        }
    }

    private LockRequest request(OwnerId owner, Deadline deadline) {
        return new LockRequest(lockName, owner, options, deadline);
    }

    private static Optional<HoldHandle> outcome(Waiter waiter) {
        try {
            return waiter.result().join();
        } catch (CompletionException failed) {
            throw failed.getCause() instanceof LockException told ? told : failed;
        }
    }

    /** The caller has gone: a handle that was granted meanwhile is released, a failure does not matter. */
    private static void discardOutcome(Waiter waiter, Consumer<HoldHandle> discard) {
        CompletableFuture<?> unused = waiter.result().thenAccept(granted -> granted.ifPresent(discard));
    }

    @Override
    public CompletableFuture<Optional<HoldHandle>> acquireAsync(OwnerId owner, Deadline deadline) {
        Waiter waiter =
                locks.acquire(request(owner, deadline), services.runtime().storeCalls());
        CompletableFuture<Optional<HoldHandle>> outcome = new CompletableFuture<>();
        // What depends on the outcome is the application's code: it runs where it can hold up nothing of ours.
        CompletableFuture<?> unused = waiter.result()
                .whenComplete((handle, failure) -> services.events().dispatch(() -> {
                    if (failure != null) {
                        outcome.completeExceptionally(failure);
                    } else {
                        outcome.complete(handle);
                    }
                }));
        Consumer<HoldHandle> discard = onlyOnce(services::discard);
        Runnable abandon = () -> {
            waiter.abandon();
            // The callbacks may all be blocked, so a hold that was just granted does not wait for them.
            discardOutcome(waiter, discard);
        };
        return CallerFuture.of(outcome, abandon, discard, Function.identity());
    }

    private static <T> Consumer<T> onlyOnce(Consumer<T> action) {
        AtomicBoolean done = new AtomicBoolean();
        return value -> {
            if (done.compareAndSet(false, true)) {
                action.accept(value);
            }
        };
    }
}
