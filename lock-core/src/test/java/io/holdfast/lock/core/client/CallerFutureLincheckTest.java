package io.holdfast.lock.core.client;

import static io.holdfast.lock.core.client.Programs.expect;
import static io.holdfast.lock.core.client.Programs.step;
import static io.holdfast.lock.core.client.Programs.thread;

import io.holdfast.lock.LockOptions;
import io.holdfast.lock.core.claim.OwnerId;
import io.holdfast.lock.core.hold.HoldHandle;
import io.holdfast.lock.core.local.Deadline;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A caller cancels an asynchronous acquire while it is granted: the hold is delivered or given back, never both or neither. */
@Tag("full")
public class CallerFutureLincheckTest {

    private static final OwnerId OWNER = new OwnerId("caller", OwnerId.Sharing.NOBODY);

    private final ModelledEngine world = new ModelledEngine();
    private final SingleAcquirer acquirer =
            new SingleAcquirer(world.services, world.locks, ModelledEngine.LOCK, LockOptions.DEFAULTS);
    private CompletableFuture<Optional<HoldHandle>> told;

    public void begin() {
        world.store.strangerTakes();
        told = acquirer.acquireAsync(OWNER, Deadline.NEVER);
    }

    public void strangerLeaves() {
        world.store.strangerLeaves();
    }

    public void cancel() {
        boolean unused = told.cancel(false);
    }

    public void timeOut() {
        boolean unused = told.complete(Optional.empty());
    }

    @Validate
    public void theHoldIsDeliveredOrGivenBack() {
        expect(told.isDone(), "an answer");
        boolean delivered = !told.isCompletedExceptionally() && told.join().isPresent();
        expect(world.store.isTaken() == delivered, "taken if it was delivered, and only then");
        expect(!delivered || told.join().orElseThrow().isHeld(), "what is delivered is held");
        expect(world.store.bidsWaiting() == 0, "no bid is left");
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
