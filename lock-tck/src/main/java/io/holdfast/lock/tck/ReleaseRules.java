package io.holdfast.lock.tck;

import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import java.util.UUID;
import org.junit.jupiter.api.Assertions;

/** Chapter 5, owner-safe release, asked of the provider. */
interface ReleaseRules extends Rules {

    /** As {@link io.holdfast.lock.spi.ClaimRequest} limits it. */
    int LONGEST_CLAIM_ID = 64;

    @LockRule("5.1")
    default void rule51_releaseByAnotherClaimLeavesTheLockHeld() {
        String name = kit().newName();
        LockProvider provider = kit().provider();
        DrivenClaim holder =
                kit().bid(provider, name).leasing(kit().longLease()).get();

        for (DrivenClaim other : new DrivenClaim[] {
            kit().bid(name).enter(),
            kit().bid(provider, name).enter(),
            kit().bid(name).by(holder.ownerId()).enter()
        }) {
            other.mustRelease(Release.NOT_HELD, "this claim was never granted");
            kit().bid(name).once().enter().mustBeContended("only its holder can free a lock");
        }
        holder.mustRenew("nobody has released it");
    }

    @LockRule("5.2")
    default void rule52_aHolderWhoseLeaseRanOutCannotFreeTheNextHoldersLock() {
        String name = kit().newName();
        DrivenClaim late = kit().bid(name).get();
        DrivenClaim holder = kit().bid(name).leasing(kit().longLease()).enter();
        holder.takeOver(kit().longestLife(), "the first holder's lease has ended");

        late.mustRelease(Release.NOT_HELD, "its lease has ended and another claim is in force");
        late.mustBeLost("its lease has ended and another claim is in force");
        kit().bid(name).once().enter().mustBeContended("the next holder has not released the lock");
        holder.mustRenew("only a late claim has released and renewed");
    }

    @LockRule({"5.2", "5.5"})
    default void rule52_aClientThatIsClosedDoesNotFreeTheLockThatItHasLost() {
        String name = kit().newName();
        LockProvider closing = kit().provider();
        DrivenClaim late = kit().bid(closing, name).get();
        DrivenClaim holder = kit().bid(name).leasing(kit().longLease()).enter();
        holder.takeOver(kit().longestLife(), "the first holder's lease has ended");
        late.abandon();
        closing.close();

        holder.mustRenew("only the client of a late claim was closed");
        kit().bid(name).once().enter().mustBeContended("only the client of a late claim was closed");
    }

    @LockRule("5.1")
    default void rule51_claimsWhoseIdsAreAlikeAreDifferentClaims() {
        String name = kit().newName();
        String id = (UUID.randomUUID() + "-" + UUID.randomUUID()).substring(0, LONGEST_CLAIM_ID - 1);
        LockProvider provider = kit().provider();
        ClaimSpec bid = kit().bid(provider, name).leasing(kit().longLease());
        DrivenClaim holder = bid.enter(id + "a");
        holder.mustBeGranted("nobody holds the lock");

        for (String alike : new String[] {id + "b", id + "A", id}) {
            DrivenClaim other = bid.by(holder.ownerId()).enter(alike);
            other.mustRelease(Release.NOT_HELD, "its id is like that of the claim that holds the lock, but another");
            other.mustBeLost("its id is like that of the claim that holds the lock, but another");
        }
        holder.mustRelease(Release.RELEASED, "nobody else has released it");
    }

    @LockRule({"5.1", "5.2"})
    @Needs(Capability.LEASED_PER_CLAIM)
    default void rule51_aReleaseInTheMomentOfATakeoverFreesNobodyElse() {
        for (int round = 0; round < 4; round++) {
            for (Takeovers.Change change : new Takeovers(kit()).whenTheLeasesEnd(DrivenClaim::release)) {
                kit().bid(change.next().name())
                        .once()
                        .enter()
                        .mustBeContended("a holder whose lease was ending has released its own claim, and no other");
                change.next().mustRenew("only the holder before has released");
                change.next().release();
            }
        }
    }

    @LockRule("5.3")
    default void rule53_releasingTwiceIsReportedAndFreesNobodyElse() {
        String name = kit().newName();
        DrivenClaim first = kit().bid(name).leasing(kit().longLease()).get();
        first.mustRelease(Release.RELEASED, "it holds the lock");
        first.mustRelease(Release.NOT_HELD, "it was released before");
        kit().bid(name).leasing(kit().longLease()).get();

        first.mustRelease(Release.NOT_HELD, "it was released before");
        kit().bid(name).once().enter().mustBeContended("the second holder has not released the lock");
    }

    @LockRule("5.3")
    default void rule53_releaseOfAnExpiredClaimSaysThatItWasNotHeld() {
        String name = kit().newName();
        DrivenClaim late = kit().bid(name).get();
        late.outlive(kit().longestLife().plus(Pace.SLACK));

        late.mustRelease(Release.NOT_HELD, "its lease has ended");
    }

    @LockRule("5.3")
    default void rule53_releaseOfAClaimThatNeverBidSaysThatItWasNotHeld() {
        String name = kit().newName();
        DrivenClaim idle = kit().bid(name).enter();

        idle.mustRelease(Release.NOT_HELD, "the store has never heard of it");
        idle.mustRelease(Release.NOT_HELD, "the store has never heard of it");
    }

    @LockRule("5.4")
    default void rule54_aReleasedLockIsFreeAtOnce() {
        String name = kit().newName();
        LockProvider observer = kit().provider();
        for (int i = 0; i < 10; i++) {
            DrivenClaim holder = kit().bid(i % 2 == 0 ? observer : kit().provider(), name)
                    .leasing(kit().longLease())
                    .once()
                    .enter();
            holder.mustBeGranted("the holder before has released the lock");
            holder.mustRelease(Release.RELEASED, "it holds the lock");
            Assertions.assertTrue(observer.holder(name).isEmpty(), "nobody must be shown as the holder of a free lock");
        }
    }

    @LockRule("5.4")
    @Needs(hooks = Hook.REMOVER)
    default void rule54_aReleasedLockLeavesNothingForAnOperatorToRemove() {
        String name = kit().newName();
        kit().bid(name).leasing(kit().longLease()).get().mustRelease(Release.RELEASED, "it holds the lock");
        kit().remove(name);

        kit().bid(name).once().enter().mustBeGranted("the lock is free, and the operator found nothing to remove");
    }
}
