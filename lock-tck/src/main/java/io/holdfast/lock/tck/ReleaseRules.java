package io.holdfast.lock.tck;

import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import java.util.UUID;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Chapter 5, owner-safe release, asked of the provider. */
interface ReleaseRules extends Rules {

    /** As {@link io.holdfast.lock.spi.ClaimRequest} limits it. */
    int LONGEST_CLAIM_ID = 64;

    @LockRule("5.1")
    default void rule51_releaseByAnotherClaimLeavesTheLockHeld() {
        String name = kit().newName();
        LockProvider provider = kit().provider();
        DrivenClaim holder = kit().claim(provider, name).owned().lasting().makeGranted();

        for (DrivenClaim other : new DrivenClaim[] {
            kit().claim(name).make(),
            kit().claim(provider, name).make(),
            kit().claim(name).byOwnerOf(holder).make()
        }) {
            other.mustRelease(Release.NOT_HELD, "this claim was never granted");
            kit().visitor(name).mustBeContended("only its holder can free a lock");
        }
        holder.mustRenew("nobody has released it");
    }

    @LockRule("5.2")
    default void rule52_anExpiredHolderCannotFreeTheNextHoldersLock() {
        String name = kit().newName();
        DrivenClaim late = kit().claim(name).makeGranted();
        DrivenClaim holder = kit().claim(name).lasting().make();
        holder.takeOver(kit().longestLife(), "the first holder's lease has ended");

        late.mustRelease(Release.NOT_HELD, "its lease has ended and another claim is in force");
        late.mustBeLost("its lease has ended and another claim is in force");
        kit().visitor(name).mustBeContended("the next holder has not released the lock");
        holder.mustRenew("only a late claim has released and renewed");
    }

    @LockRule({"5.1", "5.2"})
    default void rule52_anExpiredHolderFreesNoClaimWhoseIdBeginsWithItsOwn() {
        String name = kit().newName();
        String id = UUID.randomUUID().toString();
        DrivenClaim late = kit().claim(name).make(id);
        late.mustBeGranted("nobody holds the lock");
        DrivenClaim holder = kit().claim(name).lasting().make(id + "0");
        holder.takeOver(kit().longestLife(), "the first holder's lease has ended");

        late.mustRelease(Release.NOT_HELD, "its lease has ended, and a claim is in force whose id begins as its own");
        late.mustBeLost("its lease has ended, and a claim is in force whose id begins as its own");
        holder.mustRenew("only a late claim has released and renewed");
    }

    @LockRule({"5.2", "5.5"})
    default void rule52_aClosedClientDoesNotFreeALockThatItLost() {
        String name = kit().newName();
        LockProvider closing = kit().provider();
        DrivenClaim late = kit().claim(closing, name).makeGranted();
        DrivenClaim holder = kit().claim(name).lasting().make();
        holder.takeOver(kit().longestLife(), "the first holder's lease has ended");
        late.abandon();
        closing.close();

        holder.mustRenew("only the client of a late claim was closed");
        kit().visitor(name).mustBeContended("only the client of a late claim was closed");
    }

    @LockRule("5.1")
    default void rule51_claimsWhoseIdsAreAlikeAreDifferentClaims() {
        String name = kit().newName();
        String id = (UUID.randomUUID() + "-" + UUID.randomUUID()).substring(0, LONGEST_CLAIM_ID - 1);
        LockProvider provider = kit().provider();
        ClaimSpec spec = kit().claim(provider, name).owned().lasting();
        DrivenClaim holder = spec.make(id + "a");
        holder.mustBeGranted("nobody holds the lock");

        for (String alike : new String[] {id + "b", id + "A", id}) {
            DrivenClaim other = spec.byOwnerOf(holder).make(alike);
            other.mustRelease(Release.NOT_HELD, "its id differs from that of the claim that holds the lock");
            other.mustBeLost("its id differs from that of the claim that holds the lock");
        }
        holder.mustRelease(Release.RELEASED, "nobody else has released it");
    }

    @LockRule({"5.1", "5.2"})
    @Needs(Capability.LEASED_PER_CLAIM)
    @ResourceLock(RaceRules.CORES)
    default void rule51_aReleaseDuringATakeoverFreesNoOtherClaim() {
        LockProvider third = kit().provider();
        for (int round = 0; round < 2; round++) {
            for (Takeovers.Change change : new Takeovers(kit()).whenTheLeasesEnd(DrivenClaim::release)) {
                kit().visitor(third, change.next().name())
                        .mustBeContended("a holder whose lease was ending has released its own claim, and no other");
                change.next().mustRenew("only the holder before has released");
                change.next().release();
            }
        }
    }

    @LockRule("5.3")
    default void rule53_aSecondReleaseReportsNotHeldAndFreesNoOtherClaim() {
        String name = kit().newName();
        DrivenClaim first = kit().claim(name).lasting().makeGranted();
        first.mustRelease(Release.RELEASED, "it holds the lock");
        first.mustRelease(Release.NOT_HELD, "it was released before");
        kit().claim(name).lasting().makeGranted();

        first.mustRelease(Release.NOT_HELD, "it was released before");
        kit().visitor(name).mustBeContended("the second holder has not released the lock");
    }

    @LockRule("5.3")
    default void rule53_releaseOfAnExpiredClaimReportsNotHeld() {
        String name = kit().newName();
        DrivenClaim late = kit().claim(name).makeGranted();
        late.outlive(kit().longestLife().plus(Pace.SLACK));

        late.mustRelease(Release.NOT_HELD, "its lease has ended");
    }

    @LockRule("5.3")
    default void rule53_releaseOfAnUnattemptedClaimReportsNotHeld() {
        String name = kit().newName();
        DrivenClaim idle = kit().claim(name).make();

        idle.mustRelease(Release.NOT_HELD, "it has made no attempt");
        idle.mustRelease(Release.NOT_HELD, "it has made no attempt");
    }

    @LockRule("5.4")
    default void rule54_aReleasedLockIsFreeAtOnce() {
        String name = kit().newName();
        LockProvider observer = kit().provider();
        for (int i = 0; i < 10; i++) {
            DrivenClaim holder = kit().successor(i % 2 == 0 ? observer : kit().provider(), name);
            holder.mustRelease(Release.RELEASED, "it holds the lock");
            Assertions.assertTrue(observer.holder(name).isEmpty(), "nobody must be shown as the holder of a free lock");
        }
    }

    @LockRule("5.4")
    @Needs(hooks = Hook.REMOVER)
    default void rule54_aReleasedLockLeavesNothingForAnOperatorToRemove() {
        String name = kit().newName();
        kit().claim(name).lasting().makeGranted().mustRelease(Release.RELEASED, "it holds the lock");
        kit().remove(name);

        kit().visitor(name).mustBeGranted("the lock is free, and the operator found nothing to remove");
    }
}
