package io.holdfast.lock.tck;

import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Requests that arrive twice, while the lock passes to another claim. So a change in two steps is seen also where the leases end
 * too roughly for a takeover in the same moment. The calls meet as in {@link RaceRules}.
 */
interface CopyRules extends Rules {

    @LockRule({"5.1", "5.3"})
    @Needs(Capability.LEASED_PER_CLAIM)
    @ResourceLock(RaceRules.CORES)
    default void rule51_aCopyOfAReleaseFreesNoLaterClaim() {
        mustTakeNothingFromALaterClaim(
                "a release", (provider, claim, round) -> claim.claim().release());
    }

    @LockRule({"3.1", "3.2"})
    @Needs(Capability.LEASED_PER_CLAIM)
    @ResourceLock(RaceRules.CORES)
    default void rule32_aCopyOfARenewalTakesNothingFromALaterClaim() {
        mustTakeNothingFromALaterClaim(
                "a renewal",
                (provider, claim, round) ->
                        round % 3 == 0 ? claim.claim().renew() : provider.renewAll(List.of(claim.claim())));
    }

    private void mustTakeNothingFromALaterClaim(String what, CopiedRequest request) {
        LockProvider provider = kit().provider();
        LockProvider other = kit().provider();
        LockProvider third = kit().provider();
        new Duel(kit()).play((name, round) -> {
            DrivenClaim claim = kit().successor(provider, name);
            DrivenClaim copy = claim.grantedCopy();
            DrivenClaim next = kit().tryingOnce(round % 2 == 0 ? other : provider, name);
            return new Duel.Round(
                    () -> request.by(provider, claim, round),
                    () -> releasedAndPassedOn(copy, next),
                    (answer, attempt) -> mustHaveTheLock(next, attempt, third, what));
        });
    }

    private static Object releasedAndPassedOn(DrivenClaim holder, DrivenClaim next) {
        Release unused = holder.claim().release();
        return next.opened().attempt();
    }

    private void mustHaveTheLock(DrivenClaim next, Object attempt, LockProvider third, String what) {
        String because =
                "the holder before has released the lock, while a copy of " + what + " by that holder was under way";
        if (!(attempt instanceof Attempt.Granted)) {
            next.mustBeGranted(because);
        }
        kit().tryingOnce(third, next.name()).mustBeContended("it was granted to another claim: " + because);
        next.mustRenew(because);
        next.mustRelease(Release.RELEASED, because);
    }

    @LockRule({"1.3", "6.2"})
    @Needs(Capability.FENCED)
    @ResourceLock(RaceRules.CORES)
    default void rule62_aTokenIsThatOfItsOwnGrantThoughOthersAreGrantedAtTheSameMoment() {
        LockProvider provider = kit().provider();
        LockProvider other = kit().provider();
        String elsewhere = kit().newName();
        new Duel(kit()).play((name, round) -> {
            DrivenClaim claim = kit().tryingOnce(provider, name);
            DrivenClaim stranger = kit().tryingOnce(other, elsewhere);
            return new Duel.Round(claim.opened()::attempt, stranger.opened()::attempt, (granted, strangers) -> {
                if (granted instanceof Attempt.Granted grant) {
                    Assertions.assertEquals(
                            claim.mustBeGranted("the store has this very claim as granted")
                                    .fencingToken(),
                            grant.fencingToken(),
                            "the token of a grant, asked for again; a lock of another name was granted at the same moment");
                    other.holder(name)
                            .flatMap(holder -> holder.fencingToken())
                            .ifPresent(shown -> Assertions.assertEquals(
                                    grant.fencingToken(),
                                    Optional.of(shown),
                                    "the token that is shown for a holder; a lock of another name was granted at the"
                                            + " moment of its grant"));
                }
                claim.release();
                stranger.release();
            });
        });
    }

    @LockRule("7.2")
    @Needs(Capability.PUSHED)
    @ResourceLock(RaceRules.CORES)
    default void rule72_aReleaseAtTheMomentOfTheRefusalWakes() {
        LockProvider holding = kit().provider();
        LockProvider waiting = kit().provider();
        new Duel(kit()).play((name, round) -> {
            DrivenClaim holder = kit().successor(holding, name);
            DrivenClaim waiter = kit().claim(waiting, name).lasting().make();
            return new Duel.Round(holder.claim()::release, waiter::attempt, (released, attempt) -> {
                boolean hinted =
                        attempt instanceof Attempt.Granted || Pace.within(Pace.WOKEN_WITHIN, () -> waiter.hints() > 0);
                Assertions.assertTrue(
                        hinted,
                        "the provider declares wake-up PUSH, but a claim that was refused at the moment of the release was"
                                + " not woken");
                waiter.takeOver(Duration.ZERO, "the holder has released it");
                waiter.release();
            });
        });
    }
}
