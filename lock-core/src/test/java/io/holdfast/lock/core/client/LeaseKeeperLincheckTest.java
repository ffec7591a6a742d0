package io.holdfast.lock.core.client;

import static io.holdfast.lock.core.client.Programs.expect;
import static io.holdfast.lock.core.client.Programs.step;
import static io.holdfast.lock.core.client.Programs.thread;

import io.holdfast.lock.LossCause;
import io.holdfast.lock.core.claim.OwnerId;
import io.holdfast.lock.core.hold.Hold;
import io.holdfast.lock.core.hold.HoldHandle;
import java.time.Duration;
import java.util.List;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Holds come, are renewed, released and lost while the keeper's timer rings. What the keeper guarantees: one timer at most; one
 * renewal per period for each hold in force, and none for any other. A renewal whose batch has reserved the claim may still be
 * sent after {@code drop} has returned, but never after the claim's release was sent, as both are calls of one claim.
 */
@Tag("full")
public class LeaseKeeperLincheckTest {

    private static final List<OwnerId> OWNERS = List.of(OwnerId.acquire(1), OwnerId.acquire(2));
    private static final List<Duration> LEASES = List.of(OneLockStore.LEASE, Duration.ofSeconds(3));
    private static final Duration PERIOD = OneLockStore.LEASE.dividedBy(3);

    /** After which a claim that was in use is released in the background; shorter than each period. */
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final ModelledEngine world = new ModelledEngine();
    private final OneLockStore[] locks = {new OneLockStore(), new OneLockStore()};
    private final Hold[] holds = new Hold[2];
    private final HoldHandle[] handles = new HoldHandle[2];
    private final boolean[] adopted = new boolean[2];

    public LeaseKeeperLincheckTest() {
        for (int i = 0; i < holds.length; i++) {
            holds[i] = world.granted(OWNERS.get(i), locks[i], LEASES.get(i));
        }
    }

    public void begin() {}

    public void beginWithAHold() {
        adopt(0);
    }

    public void adopt(int hold) {
        handles[hold] = HoldHandle.another(holds[hold], "a thread").orElseThrow();
        adopted[hold] = true;
        holds[hold].begin();
    }

    public void release(int hold) {
        boolean unused = handles[hold].release();
    }

    public void renew(int hold) {
        boolean unused = handles[hold].renew();
    }

    /** Loses a hold, as the next grant to the same owner does: it proves that the store has lost this one. */
    public void loseOnceItIsKnown(int hold) {
        if (adopted[hold]) {
            holds[hold].lose(LossCause.TAKEN_OVER);
        }
    }

    public void timerRings() {
        world.time.pass(PERIOD);
        world.time.ring();
    }

    @Validate
    public void eachHoldIsRenewedOncePerPeriodAndNothingElseIs() {
        // A claim that was lost while its renewal ran is released by a timer of its own, which
        // has nothing to do with the keeper.
        world.time.pass(PAUSE);
        world.time.ring();
        int inForce = 0;
        int[] before = new int[2];
        for (int i = 0; i < holds.length; i++) {
            before[i] = locks[i].renewals();
        }
        expect(world.time.timers() <= 1, "one timer, not " + world.time.timers());
        timerRings();
        for (int i = 0; i < holds.length; i++) {
            boolean kept = handles[i] != null && handles[i].isHeld();
            inForce += kept ? 1 : 0;
            expect(locks[i].renewals() - before[i] == (kept ? 1 : 0), "one renewal, or none for a hold that is over");
            expect(locks[i].wrongs().isEmpty(), "nothing wrong at the store");
        }
        expect(world.time.timers() == (inForce > 0 ? 1 : 0), "a timer as long as there are holds");
    }

    @Test
    void holdsThatEndWhileTheTimerRingsAreNotRenewed() {
        Programs.of(LeaseKeeperLincheckTest.class, 40)
                .begunBy(step("beginWithAHold"))
                .program(thread(step("timerRings")), thread(step("release", 0)))
                .program(thread(step("timerRings")), thread(step("renew", 0)))
                .program(thread(step("timerRings")), thread(step("loseOnceItIsKnown", 0)))
                .check();
    }

    @Test
    void holdsThatComeWhileTheTimerRingsAreRenewed() {
        Programs.of(LeaseKeeperLincheckTest.class, 60)
                .begunBy(step("beginWithAHold"))
                .program(thread(step("timerRings")), thread(step("adopt", 1)))
                .begunBy(step("begin"))
                .program(thread(step("adopt", 0)), thread(step("loseOnceItIsKnown", 0)))
                .check();
    }
}
