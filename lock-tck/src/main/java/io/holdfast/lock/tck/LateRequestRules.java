package io.holdfast.lock.tck;

import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.tck.faults.Fault;

/**
 * Attempts that reach the store late. By then their client has given them up, and has released their claims over another
 * connection. Nobody can use what they are granted.
 */
interface LateRequestRules extends Rules {

    @LockRule({"2.1", "5.6"})
    @Needs(value = Capability.LEASED_PER_CLAIM, hooks = Hook.STALLED_CONNECTION)
    default void rule56_anAttemptThatArrivesAfterItsReleaseHoldsTheLockForALeaseAtMost() throws Exception {
        LockProvider third = Trouble.connected(kit());
        DrivenClaim gone =
                kit().claim(Trouble.connected(kit()), kit().newName()).make();
        arrivesAfterItsRelease(gone, () -> {});

        DrivenClaim next = kit().claim(third, gone.name()).lasting().make();
        Trouble.answered(
                "an attempt",
                () -> next.takeOverAndLeave(
                        kit().longestLife(),
                        "the claim that may hold it was released before its attempt reached the store, and nobody renews it"));
    }

    @LockRule({"1.5", "5.4", "5.6"})
    @Needs(value = Capability.LEASED_PER_CLAIM, hooks = Hook.STALLED_CONNECTION)
    default void rule54_anAttemptThatArrivesAfterItsReleaseStandsInNobodysWay() throws Exception {
        LockProvider third = Trouble.connected(kit());
        DrivenClaim gone =
                kit().claim(Trouble.connected(kit()), kit().newName()).make();
        DrivenClaim holder = kit().claim(third, gone.name()).outlastingFaults().make();
        arrivesAfterItsRelease(
                gone, () -> Trouble.answered("an attempt", () -> holder.mustBeGranted("nobody holds the lock")));

        // By then it has arrived.
        Pace.pass(kit().gap());
        holder.mustRenew("it holds the lock");
        DrivenClaim next = kit().claim(third, gone.name()).lasting().make();
        next.mustBeContended("the lock is held");
        holder.mustRelease(Release.RELEASED, "it holds the lock");
        next.takeOverAndLeave(
                Pace.BACK_WITHIN,
                "its holder has released it, and the claim that may have come in between was released before its attempt"
                        + " reached the store");
    }

    /** Has the store get an attempt only when its claim was released, and something else was done. */
    private void arrivesAfterItsRelease(DrivenClaim claim, Pace.Body meanwhile) throws Exception {
        Fault stall = kit().harness().faults().stalledConnection().orElseThrow();
        Trouble.during(stall, () -> {
            Call<?> attempt = Call.running(() -> {
                // A provider may repeat it by itself, by another connection.
                boolean unused = Call.isAnswered(claim::attempt);
            });
            Trouble.mustEnd(attempt, "an attempt");
            Release unused = Trouble.answered("a release", claim::release);
            meanwhile.run();
        });
    }
}
