package io.holdfast.lock.core.client;

import static io.holdfast.lock.core.client.Programs.expect;
import static io.holdfast.lock.core.client.Programs.step;
import static io.holdfast.lock.core.client.Programs.thread;

import io.holdfast.lock.core.claim.OwnerId;
import io.holdfast.lock.core.hold.HoldHandle;
import io.holdfast.lock.core.local.RetryPauses;
import io.holdfast.lock.core.local.Waiter;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Two callers acquire a lock that a stranger leaves, while one gives up, the client closes, and timers ring. In every order a
 * free lock is granted to one of its waiters, and the others leave nothing behind.
 */
@Tag("full")
public class LocalLockLincheckTest {

    private static final OwnerId FRIEND = OwnerId.thread(1);

    /** Two waiters of different owners, and two of one owner. */
    private static final List<OwnerId> OWNERS = List.of(OwnerId.acquire(1), OwnerId.acquire(2), FRIEND, FRIEND);

    private final ModelledEngine world = new ModelledEngine();
    private final Waiter[] waiters = new Waiter[OWNERS.size()];
    private final boolean[] gaveUp = new boolean[OWNERS.size()];
    private final boolean[] released = new boolean[OWNERS.size()];
    private boolean removed;

    public void begin() {
        world.store.strangerTakes();
    }

    public void beginWithAWaiter() {
        begin();
        acquire(0);
    }

    public void beginWithAFriendAndAWaiter() {
        begin();
        acquire(2);
        acquire(0);
    }

    /** The holder's claim may be passed on: somebody has waited behind it. */
    public void beginWithAHolderAndAWaiter() {
        begin();
        acquire(0);
        acquire(1);
        strangerLeaves();
    }

    public void strangerLeaves() {
        world.store.strangerLeaves();
    }

    public void acquire(int caller) {
        waiters[caller] = world.acquire(OWNERS.get(caller));
    }

    public void giveUp(int caller) {
        gaveUp[caller] = true;
        waiters[caller].abandon();
    }

    /** Releases the lock if the caller has it: it may pass to another one of this client. */
    public void release(int caller) {
        if (isGranted(caller)) {
            released[caller] = true;
            boolean unused = waiters[caller].result().join().orElseThrow().release();
        }
    }

    public void wake() {
        world.store.wakeWaiters();
    }

    public void operatorRemoves() {
        removed = true;
        world.store.operatorRemoves();
    }

    public void close() {
        Arrays.fill(gaveUp, true);
        List<?> unused = world.locks.close();
    }

    /** Time passes until the safety poll of a waiting claim. */
    public void timersRing() {
        world.time.pass(RetryPauses.SAFETY_NET);
        world.time.ring();
    }

    @Validate
    public void whoWaitsForAFreeLockGetsIt() {
        expect(world.store.wrongs().isEmpty(), "nothing wrong at the store");
        int granted = 0;
        int waiting = 0;
        for (int i = 0; i < waiters.length; i++) {
            if (waiters[i] == null) {
                continue;
            }
            if (!waiters[i].result().isDone()) {
                expect(!gaveUp[i], "a waiter that gave up is finished");
                waiting++;
            } else if (isGranted(i)) {
                granted++;
            }
        }
        expect(world.store.isTaken() || waiting == 0, "nobody waits for a free lock");
        expect(granted <= 1 || waiters[2] != null, "one hold");
        expect(granted == 0 || world.store.isTaken(), "a hold is in the store");
        expect(!(isGranted(2) && waiters[3] != null && !isGranted(3)), "no friend waits for a friend");
        expect(
                world.store.claimsWaiting() <= Math.min(1, waiting),
                "at most one claim waits, and none of the finished");
        expect(world.locks.isIdle() == (waiting == 0 && granted == 0), "only those who wait or hold are kept");
        if (granted == 0 && !removed && world.store.isTaken()) {
            expect(world.store.grants() == 0, "no grant without an owner");
        }
        expect(world.time.timers() <= waiting + 1, "one timer for each that waits, and one for the leases");
    }

    private boolean isGranted(int caller) {
        if (waiters[caller] == null) {
            return false;
        }
        CompletableFuture<Optional<HoldHandle>> result = waiters[caller].result();
        return result.isDone()
                && !result.isCompletedExceptionally()
                && result.join().filter(HoldHandle::isHeld).isPresent();
    }

    @Test
    void aReleasedLockPassesToAWaiterOrIsFree() {
        Programs.of(LocalLockLincheckTest.class, 30)
                .begunBy(step("beginWithAHolderAndAWaiter"))
                .program(thread(step("release", 0)), thread(step("giveUp", 1)))
                .program(thread(step("release", 0)), thread(step("operatorRemoves")))
                .program(thread(step("release", 0)), thread(step("close")))
                .program(thread(step("release", 0), step("release", 1)), thread(step("wake")))
                .check();
    }

    @Test
    void everyWaiterIsServedOrGone() {
        Programs.of(LocalLockLincheckTest.class, 30)
                .program(thread(step("acquire", 0)), thread(step("acquire", 1)), thread(step("strangerLeaves")))
                .program(
                        thread(step("acquire", 0), step("giveUp", 0)),
                        thread(step("acquire", 1), step("strangerLeaves")))
                .program(thread(step("acquire", 0), step("wake")), thread(step("strangerLeaves")))
                .program(
                        thread(step("acquire", 0), step("acquire", 1), step("giveUp", 0)),
                        thread(step("strangerLeaves")))
                .program(thread(step("acquire", 0), step("acquire", 1), step("close")), thread(step("strangerLeaves")))
                .program(thread(step("strangerLeaves"), step("acquire", 0)), thread(step("acquire", 1), step("close")))
                .program(
                        thread(step("acquire", 0), step("strangerLeaves")),
                        thread(step("acquire", 1), step("operatorRemoves")))
                .check();
    }

    @Test
    void aLateTimerDoesNoHarm() {
        Programs.of(LocalLockLincheckTest.class, 30)
                .begunBy(step("beginWithAWaiter"))
                .program(thread(step("timersRing")), thread(step("wake")))
                .program(thread(step("timersRing")), thread(step("strangerLeaves")))
                .program(thread(step("timersRing")), thread(step("giveUp", 0)))
                .check();
    }

    @Test
    void callersOfOneOwnerNeverWaitForEachOther() {
        Programs.of(LocalLockLincheckTest.class, 80)
                .begunBy(step("beginWithAFriendAndAWaiter"))
                .program(thread(step("strangerLeaves")), thread(step("acquire", 3)))
                .check();
    }
}
