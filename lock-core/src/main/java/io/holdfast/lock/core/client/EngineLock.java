package io.holdfast.lock.core.client;

import io.holdfast.lock.LockOwner;
import io.holdfast.lock.LockedAction;
import io.holdfast.lock.LockedCall;
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
import org.jspecify.annotations.Nullable;

/**
 * The calls that an application makes on a lock, told apart by owner, deadline and thread.
 *
 * @param <P> the handle as the application sees it
 * @param <H> the handle as the engine sees it
 */
abstract class EngineLock<P, H extends OwnHandle> {

    private final Services services;
    private final Acquirer<H> acquirer;
    private final LockOwner owner;
    private final ThreadHolds threadHolds;
    private final Function<H, P> seen;

    EngineLock(Services services, Acquirer<H> acquirer, LockOwner owner, ThreadHolds threadHolds, Function<H, P> seen) {
        this.services = services;
        this.acquirer = acquirer;
        this.owner = owner;
        this.threadHolds = threadHolds;
        this.seen = seen;
    }

    Acquirer<H> acquirer() {
        return acquirer;
    }

    @SuppressWarnings("try")
    public <X extends Exception> void run(LockedAction<X> action) throws X, InterruptedException {
        Objects.requireNonNull(action, "action");
        try (OwnHandle held = waitFor()) {
            action.run();
        }
    }

    @SuppressWarnings("try")
    public <T extends @Nullable Object, X extends Exception> T call(LockedCall<T, X> call)
            throws X, InterruptedException {
        Objects.requireNonNull(call, "call");
        try (OwnHandle held = waitFor()) {
            return call.call();
        }
    }

    @SuppressWarnings("try")
    public <X extends Exception> boolean tryRun(Duration maxWait, LockedAction<X> action)
            throws X, InterruptedException {
        Objects.requireNonNull(action, "action");
        Optional<H> grant = waitFor(maxWait);
        if (grant.isEmpty()) {
            return false;
        }
        try (OwnHandle held = grant.get()) {
            action.run();
        }
        return true;
    }

    @SuppressWarnings("try")
    public <T, X extends Exception> Optional<T> tryCall(Duration maxWait, LockedCall<T, X> call)
            throws X, InterruptedException {
        Objects.requireNonNull(call, "call");
        Optional<H> grant = waitFor(maxWait);
        if (grant.isEmpty()) {
            return Optional.empty();
        }
        try (OwnHandle held = grant.get()) {
            T result = call.call();
            return Optional.of(Objects.requireNonNull(
                    result,
                    () -> "The call under '" + names() + "' returned null, which tryCall cannot tell from a lock that"
                            + " was not acquired; allowed are a result that is not null, and tryRun for none"));
        }
    }

    public P acquire() throws InterruptedException {
        return seen.apply(waitFor());
    }

    public Optional<P> tryAcquire() {
        try {
            return acquirer.acquire(blockingOwner(), Deadline.AT_ONCE, Interrupts.WAIT)
                    .map(seen);
        } catch (InterruptedException impossible) {
            throw new AssertionError("An acquire that keeps interrupts for later was interrupted", impossible);
        }
    }

    public Optional<P> tryAcquire(Duration maxWait) throws InterruptedException {
        return waitFor(maxWait).map(seen);
    }

    public CompletableFuture<P> acquireAsync() {
        return acquireAsync(Deadline.NEVER, handle -> seen.apply(granted(handle)));
    }

    public CompletableFuture<Optional<P>> tryAcquireAsync(Duration maxWait) {
        return acquireAsync(deadline(maxWait), handle -> handle.map(seen));
    }

    private <T> CompletableFuture<T> acquireAsync(Deadline deadline, Function<Optional<H>, T> shape) {
        CompletableFuture<Optional<H>> acquired = acquirer.acquireAsync(asyncOwner(), deadline);
        return CallerFuture.of(acquired, () -> acquired.cancel(false), services::discard, shape);
    }

    public Lock asLock() {
        return new ThreadLock(services, acquirer, threadHolds);
    }

    private H waitFor() throws InterruptedException {
        return granted(acquirer.acquire(blockingOwner(), Deadline.NEVER, Interrupts.END_THE_WAIT));
    }

    private Optional<H> waitFor(Duration maxWait) throws InterruptedException {
        return acquirer.acquire(blockingOwner(), deadline(maxWait), Interrupts.END_THE_WAIT);
    }

    private static <H> H granted(Optional<H> handle) {
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

    private String names() {
        return String.join(", ", acquirer.names());
    }
}
