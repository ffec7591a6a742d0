package io.holdfast.lock.core.client;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.core.claim.ClaimReaper.LastChance;
import io.holdfast.lock.core.hold.Services;
import io.holdfast.lock.core.local.LocalLocks;
import io.holdfast.lock.core.runtime.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The closing of a client: waiting acquires end, holds are given up, then the provider and the threads go. Every step runs even
 * if an earlier one fails. Claims that the store did not take back are thrown at the end; callers with an operation in flight
 * get their own exception.
 */
final class ClientClose implements Runnable {

    /** How long to wait for the store to release the claims; what it does not release ends with its lease. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Services services;
    private final LocalLocks locks;
    private final ReentrantLock mutex = new ReentrantLock();

    /** Guarded by the mutex. */
    private boolean begun;

    ClientClose(Services services, LocalLocks locks) {
        this.services = services;
        this.locks = locks;
    }

    @Override
    public void run() {
        mutex.lock();
        try {
            if (!begun) {
                begun = true;
                close();
            }
        } finally {
            mutex.unlock();
        }
    }

    private void close() {
        List<LockException> failures = new ArrayList<>();
        try {
            giveBackEverything(failures);
        } finally {
            try {
                closeProvider(failures);
            } finally {
                services.runtime().shutdown().run();
            }
        }
        if (!failures.isEmpty()) {
            LockStoreException told = new LockStoreException(
                    "The client is closed, but not everything could be given back; it ends with its lease");
            failures.forEach(told::addSuppressed);
            throw told;
        }
    }

    private void giveBackEverything(List<LockException> failures) {
        CompletableFuture<Void> tooLate = new CompletableFuture<>();
        Scheduler.Scheduled timer =
                services.runtime().scheduler().schedule(() -> tooLate.complete(null), PATIENCE.toNanos());
        try {
            List<CompletableFuture<?>> underWay = locks.close();
            // What sleeps needs the time in which other calls may hang.
            services.reaper().hurry();
            await(underWay, tooLate);
            // Once more, as an acquire or a release that ends badly leaves one more claim to be given back.
            List<LastChance> claims = services.reaper().hurry();
            await(claims.stream().map(LastChance::answered).toList(), tooLate);
            claims.stream()
                    .filter(claim -> !claim.answered().isDone())
                    .map(ClientClose::notTakenBack)
                    .forEach(failures::add);
        } finally {
            timer.cancel();
        }
    }

    private void closeProvider(List<LockException> failures) {
        try {
            services.storeCalls().close(services.provider());
        } catch (LockException failure) {
            failures.add(failure);
        }
    }

    /** Waits until all are done or it is too late; an interrupt waits, as what is given back must reach the store. */
    private static void await(Collection<? extends CompletableFuture<?>> tasks, CompletableFuture<Void> tooLate) {
        CompletableFuture<Void> whole = CompletableFuture.allOf(tasks.toArray(CompletableFuture<?>[]::new));
        Object unused = CompletableFuture.anyOf(whole, tooLate).join();
    }

    private static LockException notTakenBack(LastChance claim) {
        String told =
                "The store did not take back the lock '" + claim.lockName() + "' within " + PATIENCE.toSeconds() + " s";
        return claim.failure()
                .get()
                .map(failure -> new LockStoreException(told + ": " + failure.getMessage(), failure))
                .orElseGet(() -> new LockStoreException(told));
    }
}
