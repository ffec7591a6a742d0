package io.holdfast.lock.core;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockOwner;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Lock;
import java.util.function.Function;

/** The calls that an application makes on a lock, told apart by owner, deadline and thread. */
final class EngineLock implements DistributedLock {

    private final Engine engine;
    private final Acquirer acquirer;
    private final LockOwner owner;
    private final ThreadHolds threadHolds;

    EngineLock(Engine engine, Acquirer acquirer, LockOwner owner, ThreadHolds threadHolds) {
        this.engine = engine;
        this.acquirer = acquirer;
        this.owner = owner;
        this.threadHolds = threadHolds;
    }

    @Override
    public String name() {
        return String.join(", ", acquirer.names());
    }

    @Override
    public LockHandle acquire() throws InterruptedException {
        return granted(acquirer.acquire(blockingOwner(), Deadline.NEVER, Interrupts.END_THE_WAIT));
    }

    @Override
    public Optional<LockHandle> tryAcquire() {
        try {
            return acquirer.acquire(blockingOwner(), Deadline.AT_ONCE, Interrupts.WAIT)
                    .map(Function.identity());
        } catch (InterruptedException impossible) {
            throw new AssertionError("An acquire that keeps interrupts for later was interrupted", impossible);
        }
    }

    @Override
    public Optional<LockHandle> tryAcquire(Duration maxWait) throws InterruptedException {
        return acquirer.acquire(blockingOwner(), deadline(maxWait), Interrupts.END_THE_WAIT)
                .map(Function.identity());
    }

    @Override
    public CompletableFuture<LockHandle> acquireAsync() {
        return acquireAsync(Deadline.NEVER, EngineLock::granted);
    }

    @Override
    public CompletableFuture<Optional<LockHandle>> tryAcquireAsync(Duration maxWait) {
        return acquireAsync(deadline(maxWait), handle -> handle.map(Function.identity()));
    }

    private <T> CompletableFuture<T> acquireAsync(Deadline deadline, Function<Optional<OwnHandle>, T> shape) {
        CompletableFuture<Optional<OwnHandle>> acquired = acquirer.acquireAsync(asyncOwner(), deadline);
        return Handover.of(acquired, () -> acquired.cancel(false), shape);
    }

    @Override
    public Lock asLock() {
        return new ThreadLock(engine, acquirer, threadHolds);
    }

    private static LockHandle granted(Optional<OwnHandle> handle) {
        return handle.orElseThrow(() -> new AssertionError("An acquire without a deadline ended without a lock"));
    }

    private Deadline deadline(Duration maxWait) {
        Objects.requireNonNull(maxWait, "maxWait");
        return Deadline.after(maxWait, engine.runtime().ticker());
    }

    private OwnerId blockingOwner() {
        return engine.identity().blockingOwner(owner);
    }

    private OwnerId asyncOwner() {
        return engine.identity().asyncOwner(owner);
    }

    @Override
    public String toString() {
        return "DistributedLock[" + name() + "]";
    }
}
