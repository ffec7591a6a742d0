package io.holdfast.lock.core.client;

import static io.holdfast.lock.core.client.Programs.expect;
import static io.holdfast.lock.core.client.Programs.step;
import static io.holdfast.lock.core.client.Programs.thread;

import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockOptions;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A caller cancels an asynchronous acquire while it is granted: the hold is delivered or released, never both or neither. */
@Tag("full")
public class CallerFutureLincheckTest {

    private final ModelledEngine world = new ModelledEngine();
    private final NamedLock lock = new NamedLock(
            world.services,
            new SingleAcquirer(world.services, world.locks, ModelledEngine.LOCK, LockOptions.DEFAULTS),
            LockOptions.DEFAULTS.owner(),
            new ThreadHolds());
    private CompletableFuture<Optional<LockHandle>> callers;

    public void begin() {
        world.store.strangerTakes();
        callers = lock.tryAcquireAsync(Duration.ofHours(1));
    }

    public void strangerLeaves() {
        world.store.strangerLeaves();
    }

    public void cancel() {
        boolean unused = callers.cancel(false);
    }

    public void timeOut() {
        boolean unused = callers.complete(Optional.empty());
    }

    @Validate
    public void theHoldIsDeliveredOrGivenBack() {
        expect(callers.isDone(), "an answer");
        boolean delivered =
                !callers.isCompletedExceptionally() && callers.join().isPresent();
        expect(world.store.isTaken() == delivered, "taken if it was delivered, and only then");
        expect(!delivered || callers.join().orElseThrow().isHeld(), "a delivered handle is held");
        expect(world.store.claimsWaiting() == 0, "no claim is left");
        expect(world.locks.isIdle() != delivered, "the client knows what was delivered, and nothing else");
        expect(world.store.wrongs().isEmpty(), "nothing wrong at the store");
    }

    @Test
    void aCancelledAcquireIsDeliveredOrGivenBack() {
        Programs.of(CallerFutureLincheckTest.class, 80)
                .program(thread(step("strangerLeaves")), thread(step("cancel")))
                .program(thread(step("strangerLeaves")), thread(step("timeOut")))
                .check();
    }
}
