package io.holdfast.lock.core;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.LossCause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The closing of a client: waiting acquires end, holds are given up, then the provider and the threads go. All of it is tried
 * whatever fails. What could not be given back is thrown at the end; whoever acquires or releases meanwhile is told himself.
 */
final class ClientClose implements Runnable {

    /** How long to wait for the store to take back holds and bids; what it does not take ends with its lease. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Engine engine;
    private final ReentrantLock mutex = new ReentrantLock();

    /** Guarded by the mutex. */
    private boolean begun;

    ClientClose(Engine engine) {
        this.engine = engine;
    }

    /** A claim that is being given back. */
    private record Return(String lockName, CompletableFuture<Void> done) {}

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
        engine.markClosed();
        List<LockException> failures = new ArrayList<>();
        try {
            giveBackEverything(failures);
        } finally {
            try {
                closeProvider(failures);
            } finally {
                engine.runtime().shutdown().run();
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
        long givingUpAt = engine.now() + PATIENCE.toNanos();
        List<Hold> held = engine.holds().all();
        held.forEach(hold -> hold.lose(LossCause.CLIENT_CLOSED));
        List<Acquisition> unfinished = List.copyOf(engine.acquisitions());
        unfinished.forEach(Acquisition::endByClose);
        List<Return> returns = new ArrayList<>();
        held.forEach(hold -> returns.add(new Return(hold.key().lockName(), inBackground(hold::giveUp))));
        List<CompletableFuture<?>> underWay = new ArrayList<>(engine.releases());
        returns.forEach(back -> underWay.add(back.done()));
        // What an acquire or a release ends with is told to its caller; here it only has to have ended.
        unfinished.forEach(acquisition -> underWay.add(acquisition.result().handle((handle, failure) -> true)));
        await(underWay, givingUpAt);
        // Only now, as an acquire or a release that ends badly leaves one more claim to be undone.
        engine.abandoned()
                .pending()
                .forEach(claim -> returns.add(new Return(claim.lockName(), inBackground(claim::release))));
        await(returns.stream().map(Return::done).toList(), givingUpAt);
        returns.forEach(back -> failureOf(back).ifPresent(failures::add));
    }

    private void closeProvider(List<LockException> failures) {
        try {
            engine.storeCalls().close(engine.provider());
        } catch (LockException failure) {
            failures.add(failure);
        }
    }

    private CompletableFuture<Void> inBackground(Runnable storeCall) {
        return CompletableFuture.runAsync(storeCall, engine.runtime().storeCalls());
    }

    /** Waits until all are done or it is too late; an interrupt waits, as what is given back must reach the store. */
    private void await(List<? extends CompletableFuture<?>> tasks, long givingUpAt) {
        CompletableFuture<Void> whole = CompletableFuture.allOf(tasks.toArray(CompletableFuture<?>[]::new));
        Uninterruptibly.run(() -> await(whole, givingUpAt));
    }

    private void await(CompletableFuture<Void> whole, long givingUpAt) throws InterruptedException {
        try {
            whole.get(givingUpAt - engine.now(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException toldForEachTask) {
            return;
        }
    }

    private static Optional<LockException> failureOf(Return back) {
        if (!back.done().isDone()) {
            return Optional.of(new LockStoreException("The store did not take back the lock '" + back.lockName()
                    + "' within " + PATIENCE.toSeconds() + " s"));
        }
        return Optional.ofNullable(back.done()
                .handle((done, failure) -> failure == null ? null : asLockException(failure))
                .join());
    }

    private static LockException asLockException(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return cause instanceof LockException told ? told : new LockStoreException("Closing failed: " + cause, failure);
    }
}
