package io.holdfast.lock.tck;

import io.holdfast.lock.LockOwner;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Release;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.junit.jupiter.api.Assertions;

/** Chapter 4, reentrancy, as far as it is the store's. */
interface ReentryRules extends Rules {

    @LockRule({"4.1", "4.6"})
    @Needs(Capability.COUNTED_BY_STORE)
    default void rule46_theSameOwnerReentersFromAnotherClient() {
        String name = kit().newName();
        DrivenClaim outer = kit().bid(name).leasing(kit().longLease()).get();
        kit().bid(name).leasing(kit().longLease()).enter().mustBeContended("the lock is held");

        DrivenClaim inner =
                kit().bid(name).by(outer.ownerId()).leasing(kit().longLease()).enter();
        inner.mustBeGranted(
                "the same owner holds the lock, whoever waits for it, and the provider declares that the store counts its holds");
        kit().bid(name).once().enter().mustBeContended("somebody else holds the lock, twice");
    }

    @LockRule({"4.2", "4.6"})
    @Needs(Capability.COUNTED_BY_STORE)
    default void rule42_theLockIsFreedByTheLastReleaseWhicheverThatIs() {
        for (int[] order : new int[][] {{0, 1, 2}, {2, 1, 0}, {1, 0, 2}}) {
            String name = kit().newName();
            ClaimSpec bid = kit().bid(name).leasing(kit().longLease());
            List<DrivenClaim> holds = List.of(bid.get(), bid.enter(), bid.enter());
            holds.forEach(hold -> hold.mustBeGranted("the same owner holds the lock"));
            for (int left = order.length - 1; left > 0; left--) {
                DrivenClaim hold = holds.get(order[order.length - 1 - left]);
                hold.mustRelease(Release.RELEASED, "this claim was in force");
                hold.mustRelease(Release.NOT_HELD, "this claim was released before");
                kit().bid(name)
                        .once()
                        .enter()
                        .mustBeContended("of three holds of its owner, not all were released, but one more than once");
            }
            holds.get(order[order.length - 1]).mustRelease(Release.RELEASED, "this claim was in force");
            kit().bid(name).once().enter().mustBeGranted("the last hold of its owner was released");
        }
    }

    @LockRule({"4.3", "6.2"})
    @Needs({Capability.COUNTED_BY_STORE, Capability.FENCED})
    default void rule43_nestedHoldsShareOneToken() {
        String name = kit().newName();
        DrivenClaim outer = kit().bid(name).leasing(kit().longLease()).enter();
        Attempt.Granted first = outer.mustBeGranted("nobody holds the lock");
        Attempt.Granted nested = kit().bid(name)
                .by(outer.ownerId())
                .leasing(kit().longLease())
                .enter()
                .mustBeGranted("the same owner holds the lock");

        Assertions.assertEquals(first.fencingToken(), nested.fencingToken(), "re-entry must not change the token");
        Assertions.assertEquals(
                first.fencingToken(),
                outer.mustBeGranted("it was granted before").fencingToken(),
                "re-entry must not change the token of the outer hold");
        outer.mustRelease(Release.RELEASED, "it holds the lock");
        Assertions.assertEquals(
                first.fencingToken(),
                kit().bid(name)
                        .by(outer.ownerId())
                        .leasing(kit().longLease())
                        .enter()
                        .mustBeGranted("the same owner still holds the lock")
                        .fencingToken(),
                "a hold that is nested in a nested one must have its token, also after the outer one was released");
    }

    @LockRule("4.3")
    @Needs({Capability.COUNTED_BY_STORE, Capability.LEASED_PER_CLAIM})
    default void rule43_aNestedHoldDoesNotShortenTheOuterLease() {
        String name = kit().newName();
        DrivenClaim outer = kit().bid(name).leasing(kit().longLease()).get();
        DrivenClaim inner = kit().bid(name).by(outer.ownerId()).enter();
        inner.mustBeGranted("the same owner holds the lock");
        inner.outlive(kit().longestLife().plus(Pace.SLACK));

        kit().bid(name).once().enter().mustBeContended("the outer hold has a longer lease than the nested one");
        outer.mustRenew("its own lease has not ended");
    }

    @LockRule({"3.1", "4.3"})
    @Needs({Capability.COUNTED_BY_STORE, Capability.LEASED_PER_CLAIM})
    default void rule43_aNestedHoldOutlivesTheOuterLease() {
        String name = kit().newName();
        DrivenClaim outer = kit().bid(name).get();
        DrivenClaim inner =
                kit().bid(name).by(outer.ownerId()).leasing(kit().longLease()).enter();
        inner.mustBeGranted("the same owner holds the lock");
        inner.mustRenew("it holds the lock");
        outer.abandon();
        outer.outlive(kit().longestLife().plus(Pace.SLACK));

        kit().bid(name).once().enter().mustBeContended("the nested hold has a longer lease than the outer one");
        outer.mustBeLost("its own lease has ended, and only another claim of its owner was renewed");
        inner.mustRenew("its own lease has not ended");
        inner.mustRelease(Release.RELEASED, "its own lease has not ended");
        kit().bid(name).once().enter().mustBeGranted("the lease of the outer hold has ended");
    }

    @LockRule("4.4")
    default void rule44_ownersWhoseIdsAreAlikeAreDifferentOwners() {
        String brief = "owner-" + UUID.randomUUID() + "-x";
        mustExclude(brief, brief.toUpperCase(Locale.ROOT), brief + " ", brief + "1", brief.substring(1));
        // As long as an owner's name may be: what is cut off makes one owner of two.
        String longest = "x".repeat(LockOwner.MAX_ID_LENGTH - brief.length()) + brief;
        String stem = longest.substring(0, longest.length() - 1);
        mustExclude(longest, stem, stem + "y");
    }

    private void mustExclude(String owner, String... others) {
        String name = kit().newName();
        kit().bid(name).by(owner).leasing(kit().longLease()).get();
        for (String other : others) {
            kit().bid(name)
                    .by(other)
                    .once()
                    .enter()
                    .mustBeContended("'" + other + "' is not its owner '" + owner + "'");
        }
    }

    @LockRule("4.5")
    @Needs(Capability.FENCED)
    default void rule45_afterALossTheSameOwnersNextClaimIsAFreshGrant() {
        String name = kit().newName();
        DrivenClaim late = kit().bid(name).enter();
        long before = DrivenClaim.token(late.mustBeGranted("nobody holds the lock"));
        late.outlive(kit().longestLife().plus(Pace.SLACK));

        DrivenClaim fresh =
                kit().bid(name).by(late.ownerId()).leasing(kit().longLease()).enter();
        long after = DrivenClaim.token(fresh.mustBeGranted("the lease of its owner's earlier claim has ended"));
        Assertions.assertTrue(
                after > before, () -> "a fresh grant has a fresh token, but " + after + " came after " + before);
        late.mustBeLost("its lease has ended, whoever of its owner has been granted the lock since");
        late.mustRelease(Release.NOT_HELD, "its lease has ended, whoever of its owner has been granted the lock since");
        kit().bid(name).once().enter().mustBeContended("only the dead claim of the same owner was released");
        fresh.mustRelease(Release.RELEASED, "it holds the lock");
        kit().bid(name).once().enter().mustBeGranted("the dead claim of the same owner does not count");
    }

    @LockRule("4.6")
    @Needs(Capability.COUNTED_BY_CLIENT)
    default void rule46_whereClientsCountTheSameOwnerOfAnotherClientIsContended() {
        String name = kit().newName();
        DrivenClaim holder = kit().bid(name).leasing(kit().longLease()).get();

        kit().bid(name)
                .by(holder.ownerId())
                .once()
                .enter()
                .mustBeContended("the provider declares that clients count the holds of an owner");
    }
}
