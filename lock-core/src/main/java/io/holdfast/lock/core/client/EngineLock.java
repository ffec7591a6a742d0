package io.holdfast.lock.core.client;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockOwner;
import io.holdfast.lock.core.claim.OwnerId;
import io.holdfast.lock.core.hold.OwnHandle;
import io.holdfast.lock.core.hold.Services;
import io.holdfast.lock.core.local.Deadline;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Lock;
import java.util.function.Function;

/** The calls that an application makes on a lock, told apart by owner, deadline and thread. */
final class EngineLock implements DistributedLock {

    private final Services services;
    private final Acquirer acquirer;
    private final LockOwner owner;
    private final ThreadHolds threadHolds;

    EngineLock(Services services, Acquirer acquirer, LockOwner owner, ThreadHolds threadHolds) {
        this.services = services;
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
        return CallerFuture.of(acquired, () -> acquired.cancel(false), shape);
    }

    @Override
    public Lock asLock() {
        return new ThreadLock(services, acquirer, threadHolds);
    }

    private static LockHandle granted(Optional<OwnHandle> handle) {
        return handle.orElseThrow(() -> new AssertionError("An acquire without a deadline ended without a lock"));
    }

    private Deadline deadline(Duration maxWait) {
        Objects.requireNonNull(maxWait, "maxWait");
        return Deadline.after(maxWait, services.runtime());
    }

    private OwnerId blockingOwner() {
        return services.identity().blockingOwner(owner);
    }

    private OwnerId asyncOwner() {
        return services.identity().asyncOwner(owner);
    }

    @Override
    public String toString() {
        return "DistributedLock[" + name() + "]";
    }
}
