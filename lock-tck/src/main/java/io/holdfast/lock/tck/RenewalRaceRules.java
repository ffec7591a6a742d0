package io.holdfast.lock.tck;

import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import java.util.List;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Renewals that meet another call within a microsecond, as the calls of {@link RaceRules} do. */
interface RenewalRaceRules extends Rules {

    @LockRule({"3.2", "3.5", "5.1"})
    @Needs(Capability.LEASED_PER_CLAIM)
    @ResourceLock(RaceRules.CORES)
    default void rule35_aRenewalAtTheMomentOfTheReleaseHoldsNothing() {
        LockProvider provider = kit().provider();
        LockProvider third = kit().provider();
        new Duel(kit()).play((name, round) -> {
            DrivenClaim claim = kit().successor(provider, name);
            DrivenClaim copy = claim.grantedCopy();
            return new Duel.Round(claim.claim()::release, copy.claim()::renew, (released, renewal) -> {
                Assertions.assertEquals(
                        Release.RELEASED, released, "the answer to a release of a claim that was just renewed");
                copy.mustBeLost("it was released, at the moment of another renewal");
                kit().tryingOnce(third, name)
                        .mustPass("it was released; a renewal at the same moment must not bring it back");
            });
        });
    }

    @LockRule({"1.1", "4.2", "4.6"})
    @Needs({Capability.COUNTED_BY_STORE, Capability.LEASED_PER_CLAIM})
    @ResourceLock(RaceRules.CORES)
    default void rule46_twoHoldsOfAnOwnerThatBeginAtTheSameMomentAreBothCounted() {
        LockProvider provider = kit().provider();
        LockProvider other = kit().provider();
        LockProvider third = kit().provider();
        new Duel(kit()).play((name, round) -> {
            DrivenClaim outer =
                    kit().claim(third, name).owned().lasting().once().make();
            outer.mustBeGranted("the holders before have released the lock");
            DrivenClaim one = kit().claim(provider, name)
                    .byOwnerOf(outer)
                    .once()
                    .lasting()
                    .make();
            DrivenClaim two = kit().claim(round % 2 == 0 ? other : provider, name)
                    .byOwnerOf(outer)
                    .once()
                    .lasting()
                    .make();
            return new Duel.Round(one.opened()::attempt, two.opened()::attempt, (first, second) -> {
                Assertions.assertInstanceOf(
                        Attempt.Granted.class, first, "an attempt of the owner that holds the lock");
                Assertions.assertInstanceOf(
                        Attempt.Granted.class, second, "an attempt of the owner that holds the lock");
                outer.mustRelease(Release.RELEASED, "it is in force");
                String because = "it was granted at the same moment as another hold of its owner";
                one.mustRelease(Release.RELEASED, because);
                kit().tryingOnce(third, name).mustBeContended("the other hold of its owner is left");
                two.mustRelease(Release.RELEASED, because);
            });
        });
    }

    @LockRule({"3.2", "4.2", "4.6"})
    @Needs({Capability.COUNTED_BY_STORE, Capability.LEASED_PER_CLAIM})
    @ResourceLock(RaceRules.CORES)
    default void rule42_aRenewalUndoesNothingThatAnotherHoldOfItsOwnerDoesAtTheSameMoment() {
        LockProvider provider = kit().provider();
        LockProvider other = kit().provider();
        LockProvider third = kit().provider();
        new Duel(kit()).play((name, round) -> {
            DrivenClaim outer =
                    kit().claim(provider, name).owned().lasting().once().make();
            outer.mustBeGranted("the holders before have released the lock");
            DrivenClaim inner =
                    kit().claim(other, name).byOwnerOf(outer).once().lasting().make();
            Duel.Act renewing = round % 4 < 2
                    ? outer.claim()::renew
                    : () -> provider.renewAll(List.of(outer.claim())).get(0);
            if (round % 2 == 0) {
                inner.mustBeGranted("the same owner holds the lock");
                return new Duel.Round(renewing, inner.claim()::release, (renewal, released) -> {
                    Assertions.assertInstanceOf(Renewal.Held.class, renewal, "the renewal of a claim in force");
                    Assertions.assertEquals(
                            Release.RELEASED, released, "the answer to the release of a claim in force");
                    outer.mustRelease(Release.RELEASED, "it is in force");
                    kit().tryingOnce(third, name)
                            .mustPass(
                                    "both holds of its owner were released, one at the moment of the other's renewal");
                });
            }
            return new Duel.Round(renewing, inner.opened()::attempt, (renewal, attempt) -> {
                Assertions.assertInstanceOf(Renewal.Held.class, renewal, "the renewal of a claim in force");
                Assertions.assertInstanceOf(
                        Attempt.Granted.class, attempt, "an attempt of the owner that holds the lock");
                outer.mustRelease(Release.RELEASED, "it is in force");
                kit().tryingOnce(third, name)
                        .mustBeContended(
                                "a hold of its owner is left, which was granted at the moment of the other's renewal");
                inner.mustRelease(Release.RELEASED, "it was granted at the moment of the other's renewal");
            });
        });
    }

    @LockRule("3.1")
    @Needs(Capability.LEASED_PER_CLAIM)
    @ResourceLock(RaceRules.CORES)
    default void rule31_twoRenewalsAtTheSameMomentAreBothHeld() {
        LockProvider provider = kit().provider();
        new Duel(kit()).play((name, round) -> {
            DrivenClaim claim = kit().successor(provider, name);
            DrivenClaim copy = claim.grantedCopy();
            return new Duel.Round(claim.claim()::renew, copy.claim()::renew, (one, other) -> {
                String because = "two copies of one renewal arrived at the same moment, and the claim is in force";
                Assertions.assertInstanceOf(Renewal.Held.class, one, because);
                Assertions.assertInstanceOf(Renewal.Held.class, other, because);
                claim.mustRelease(Release.RELEASED, "it was renewed, twice at the same moment");
            });
        });
    }
}
