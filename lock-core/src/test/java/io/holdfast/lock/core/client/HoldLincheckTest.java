package io.holdfast.lock.core.client;

import static io.holdfast.lock.core.client.Programs.expect;
import static io.holdfast.lock.core.client.Programs.step;
import static io.holdfast.lock.core.client.Programs.thread;

import io.holdfast.lock.core.claim.OwnerId;
import io.holdfast.lock.core.hold.Hold;
import io.holdfast.lock.core.hold.HoldHandle;
import io.holdfast.lock.core.lease.RenewalBatch;
import java.time.Duration;
import java.util.List;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Two handles of one hold, which several threads release, nest, renew, lose and let expire: the results are those of some order
 * of these operations.
 */
@Tag("full")
public class HoldLincheckTest {

    private static final OwnerId OWNER = OwnerId.thread(1);

    private final ModelledEngine world = new ModelledEngine();
    private final Hold hold = world.granted(OWNER, world.store, OneLockStore.LEASE);
    private final HoldHandle[] handles = new HoldHandle[2];
    private final boolean[] releasedWell = new boolean[2];
    private final boolean[] released = new boolean[2];
    private boolean nested;

    public void begin() {
        handles[0] = HoldHandle.another(hold, "a thread").orElseThrow();
        handles[1] = HoldHandle.another(hold, "a thread").orElseThrow();
        hold.begin();
    }

    public void beginLate() {
        begin();
        halfRunsOut();
    }

    @Operation
    public boolean release(int handle) {
        released[handle] = true;
        boolean held = handles[handle].release();
        if (held) {
            releasedWell[handle] = true;
        }
        return held;
    }

    @Operation
    public boolean isHeld(int handle) {
        return handles[handle].isHeld();
    }

    @Operation
    public boolean nest() {
        nested = true;
        return HoldHandle.another(hold, "a thread").isPresent();
    }

    @Operation
    public boolean renew() {
        return hold.renew();
    }

    /** As {@link #renew}, ignoring the answer: if the deadline passes meanwhile, either is right. */
    @Operation
    public void prolong() {
        boolean unused = renew();
    }

    /** As {@link #release}, ignoring the answer. */
    @Operation
    public void letGo(int handle) {
        boolean unused = release(handle);
    }

    @Operation
    public void renewInBatch() {
        new RenewalBatch(
                        world.store,
                        world.services.storeCalls(),
                        world.services.keeper(),
                        world.services.runtime(),
                        List.of(hold.lease()))
                .run();
    }

    @Operation
    public void isTakenOver() {
        world.store.operatorRemoves();
    }

    @Operation
    public void runsOut() {
        world.time.pass(OneLockStore.LEASE);
    }

    @Operation
    public void halfRunsOut() {
        world.time.pass(OneLockStore.LEASE.dividedBy(2));
    }

    @Validate
    public void theClaimIsReleasedOnce() {
        List<String> wrongs = world.store.wrongs();
        expect(wrongs.isEmpty(), "nothing wrong at the store, but: " + wrongs);
        expect(world.store.releases() <= 1, "at most one release at the store");
        for (int i = 0; i < handles.length; i++) {
            expect(
                    !(releasedWell[i] && handles[i].lost().toCompletableFuture().isDone()),
                    "no loss of a released handle");
        }
        boolean inForce = hold.isHeld();
        expect(!inForce || nested || !(released[0] && released[1]), "a hold in force is in somebody's hands");
        if (!inForce) {
            // A release that met a renewal is repeated.
            world.time.pass(Duration.ofMillis(100));
            world.time.ring();
            expect(!world.store.isTaken(), "a lock that nobody holds is free");
        }
    }

    @Test
    void handlesOfOneHoldSeeOneOrderOfEvents() {
        Programs.of(HoldLincheckTest.class, 30)
                .likeOneThreadOf(OneThread.class)
                .program(thread(step("release", 0), step("release", 1)), thread(step("release", 1)))
                .program(thread(step("release", 0), step("isHeld", 1)), thread(step("release", 1), step("nest")))
                .program(thread(step("release", 0), step("release", 1)), thread(step("isTakenOver")))
                .program(
                        thread(step("release", 0), step("release", 1)),
                        thread(step("renewInBatch")),
                        thread(step("renew")))
                .program(thread(step("renew"), step("release", 0)), thread(step("isTakenOver"), step("isHeld", 0)))
                .program(thread(step("runsOut"), step("isHeld", 0)), thread(step("release", 0)), thread(step("renew")))
                .program(thread(step("nest"), step("release", 0)), thread(step("release", 1), step("isHeld", 1)))
                .check();
    }

    @Test
    void aRenewalAtTheDeadlineLeavesNoHoldBehind() {
        Programs.of(HoldLincheckTest.class, 60)
                .begunBy(step("beginLate"))
                .program(thread(step("prolong")), thread(step("halfRunsOut"), step("letGo", 0), step("letGo", 1)))
                .program(thread(step("renewInBatch")), thread(step("halfRunsOut"), step("letGo", 0), step("letGo", 1)))
                .check();
    }

    /** The sequential model of a hold. */
    public static final class OneThread {
        private final boolean[] released = new boolean[2];
        private int live = 2;
        private boolean lost;

        public void begin() {}

        public boolean release(int handle) {
            boolean held = !released[handle] && !lost;
            released[handle] = true;
            live -= held ? 1 : 0;
            return held;
        }

        public boolean isHeld(int handle) {
            return !released[handle] && renew();
        }

        public boolean nest() {
            if (renew()) {
                live++;
                return true;
            }
            return false;
        }

        public boolean renew() {
            return !lost && live > 0;
        }

        public void renewInBatch() {}

        public void isTakenOver() {
            lost |= live > 0;
        }

        public void runsOut() {
            lost |= live > 0;
        }
    }
}
