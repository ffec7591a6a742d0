package io.holdfast.lock.tck;

import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Calls that change nothing: an attempt that meets one of them in the store is answered as if it had not. */
interface HarmlessCallRules extends Rules {

    @LockRule({"1.6", "5.4"})
    @Needs(Capability.LEASED_PER_CLAIM)
    @ResourceLock(RaceRules.CORES)
    default void rule16_aFreeLockIsGrantedAtTheMomentOfACallByAClaimThatHoldsNothing() {
        LockProvider one = kit().provider();
        LockProvider other = kit().provider();
        new Duel(kit()).play((name, round) -> {
            DrivenClaim released = kit().tryingOnce(one, name);
            released.mustBeGranted("nobody holds the lock");
            // Its client does not know that it was released: it asks the store.
            DrivenClaim copy = released.grantedCopy();
            released.mustRelease(Release.RELEASED, "it holds the lock");
            DrivenClaim next = kit().tryingOnce(round % 2 == 0 ? other : one, name);
            Duel.Act harmless = round % 4 < 2 ? copy.claim()::release : copy.claim()::renew;
            return new Duel.Round(
                    harmless,
                    next.opened()::attempt,
                    (unused, attempt) -> mustHaveBeenGranted(
                            next,
                            attempt,
                            "the only other call at this moment was one of a claim that was released before"));
        });
    }

    @LockRule({"1.6", "9.8"})
    @ResourceLock(RaceRules.CORES)
    default void rule16_aFreeLockIsGrantedAtTheMomentOfAQuestionForItsHolder() {
        LockProvider asking = kit().provider();
        LockProvider other = kit().provider();
        new Duel(kit()).play((name, round) -> {
            DrivenClaim next = kit().tryingOnce(round % 2 == 0 ? other : asking, name);
            return new Duel.Round(
                    () -> asking.holder(name),
                    next.opened()::attempt,
                    (unused, attempt) ->
                            mustHaveBeenGranted(next, attempt, "somebody only asked for the holder at this moment"));
        });
    }

    private static void mustHaveBeenGranted(DrivenClaim claim, Object attempt, String because) {
        Assertions.assertInstanceOf(
                Attempt.Granted.class,
                attempt,
                () -> "the lock is free, and " + because + ": the answer to an attempt");
        claim.mustRelease(Release.RELEASED, "it holds the lock");
    }
}
