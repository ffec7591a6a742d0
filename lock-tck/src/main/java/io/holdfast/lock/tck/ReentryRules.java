package io.holdfast.lock.tck;

import io.holdfast.lock.LockOwner;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Release;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.junit.jupiter.api.Assertions;

/** Chapter 4, reentrancy, as far as the store is responsible. */
interface ReentryRules extends Rules {

    /** More clients of one owner than a table for them may have room for. */
    int MANY_HOLDS = 12;

    @LockRule({"4.1", "4.6"})
    @Needs(Capability.COUNTED_BY_STORE)
    default void rule46_theSameOwnerReentersFromAnotherClient() {
        String name = kit().newName();
        DrivenClaim outer = kit().claim(name).leasing(kit().longLease()).makeGranted();
        kit().claim(name).leasing(kit().longLease()).make().mustBeContended("the lock is held");

        DrivenClaim inner =
                kit().claim(name).by(outer.ownerId()).leasing(kit().longLease()).make();
        inner.mustBeGranted(
                "the same owner holds the lock, and the provider declares that the store counts its holds: a waiter does not matter");
        kit().claim(name).once().make().mustBeContended("somebody else holds the lock, twice");
    }

    @LockRule({"4.2", "4.6"})
    @Needs(Capability.COUNTED_BY_STORE)
    default void rule42_theLastReleaseFreesTheLockInAnyOrder() {
        for (int[] order : new int[][] {{0, 1, 2}, {2, 1, 0}, {1, 0, 2}}) {
            String name = kit().newName();
            ClaimSpec spec = kit().claim(name).leasing(kit().longLease());
            List<DrivenClaim> holds = List.of(spec.makeGranted(), spec.make(), spec.make());
            holds.forEach(hold -> hold.mustBeGranted("the same owner holds the lock"));
            for (int left = order.length - 1; left > 0; left--) {
                DrivenClaim hold = holds.get(order[order.length - 1 - left]);
                hold.mustRelease(Release.RELEASED, "this claim was in force");
                hold.mustRelease(Release.NOT_HELD, "this claim was released before");
                kit().claim(name)
                        .once()
                        .make()
                        .mustBeContended(
                                "not all of the three holds of its owner were released; a repeated release does not count");
            }
            holds.get(order[order.length - 1]).mustRelease(Release.RELEASED, "this claim was in force");
            kit().claim(name).once().make().mustBeGranted("the last hold of its owner was released");
        }
    }

    @LockRule({"4.3", "6.2"})
    @Needs({Capability.COUNTED_BY_STORE, Capability.FENCED})
    default void rule43_nestedHoldsShareOneToken() {
        String name = kit().newName();
        DrivenClaim outer = kit().claim(name).leasing(kit().longLease()).make();
        Attempt.Granted first = outer.mustBeGranted("nobody holds the lock");
        Attempt.Granted nested = kit().claim(name)
                .by(outer.ownerId())
                .leasing(kit().longLease())
                .make()
                .mustBeGranted("the same owner holds the lock");

        Assertions.assertEquals(first.fencingToken(), nested.fencingToken(), "re-entry must not change the token");
        Assertions.assertEquals(
                first.fencingToken(),
                outer.mustBeGranted("it was granted before").fencingToken(),
                "re-entry must not change the token of the outer hold");
        outer.mustRelease(Release.RELEASED, "it holds the lock");
        Assertions.assertEquals(
                first.fencingToken(),
                kit().claim(name)
                        .by(outer.ownerId())
                        .leasing(kit().longLease())
                        .make()
                        .mustBeGranted("the same owner still holds the lock")
                        .fencingToken(),
                "a hold that is nested in a nested one must have its token, also after the outer one was released");
    }

    @LockRule("4.3")
    @Needs({Capability.COUNTED_BY_STORE, Capability.LEASED_PER_CLAIM})
    default void rule43_aNestedHoldDoesNotShortenTheOuterLease() {
        String name = kit().newName();
        DrivenClaim outer = kit().claim(name).leasing(kit().longLease()).makeGranted();
        DrivenClaim inner = kit().claim(name).by(outer.ownerId()).make();
        inner.mustBeGranted("the same owner holds the lock");
        inner.outlive(kit().longestLife().plus(Pace.SLACK));

        kit().claim(name).once().make().mustBeContended("the outer hold has a longer lease than the nested one");
        outer.mustRenew("its own lease has not ended");
    }

    @LockRule({"2.2", "3.1", "4.3"})
    @Needs({Capability.COUNTED_BY_STORE, Capability.LEASED_PER_CLAIM, Capability.PUSHED})
    default void rule43_aNestedHoldThatWasRenewedAndDiedChangesNothingOfTheOuterOne() {
        String name = kit().newName();
        DrivenClaim outer = kit().claim(name).leasing(kit().longLease()).makeGranted();
        DrivenClaim inner = deadWithin(outer);
        DrivenClaim renewing =
                kit().claim(kit().newName()).leasing(kit().longLease()).makeGranted();
        DrivenClaim lost = deadWithin(renewing);
        inner.outlive(kit().longestLife().plus(Pace.SLACK));
        lost.outlive(kit().longestLife().plus(Pace.SLACK));

        for (DrivenClaim holder : List.of(outer, renewing)) {
            kit().claim(holder.name())
                    .once()
                    .make()
                    .mustBeContended("the outer hold has a longer lease than the nested one");
        }
        lost.mustBeLost("its own lease has ended, and the outer hold does not revive it");
        renewing.mustRenew("its own lease has not ended");
        DrivenClaim waiter = kit().claim(name).leasing(kit().longLease()).make();
        // Until it listens: a claim asks once more when it does.
        int hints = waiter.mustWait();
        outer.mustRelease(Release.RELEASED, "its own lease has not ended");
        Assertions.assertTrue(
                Pace.within(Pace.WOKEN_WITHIN, () -> waiter.hints() > hints),
                "the provider declares wake-up PUSH, but the release of the last hold in force woke no waiter; another hold"
                        + " of its owner had ended with its lease");
        waiter.release();
    }

    /** A nested hold with the kit's short lease, which was renewed once and is then left alone. */
    private DrivenClaim deadWithin(DrivenClaim outer) {
        DrivenClaim inner = kit().claim(outer.name()).by(outer.ownerId()).make();
        inner.mustBeGranted("the same owner holds the lock");
        inner.renew();
        inner.abandon();
        return inner;
    }

    @LockRule({"4.2", "4.6"})
    @Needs(Capability.COUNTED_BY_STORE)
    default void rule46_manyHoldsOfOneOwnerAreAllCounted() {
        String name = kit().newName();
        DrivenClaim first = kit().claim(name).leasing(kit().longLease()).makeGranted();
        List<DrivenClaim> holds = new ArrayList<>(List.of(first));
        for (int i = 1; i < MANY_HOLDS; i++) {
            DrivenClaim hold = kit().claim(i % 2 == 0 ? kit().provider() : first.provider(), name)
                    .by(first.ownerId())
                    .leasing(kit().longLease())
                    .make();
            hold.mustBeGranted("the same owner holds the lock, " + i + " times");
            holds.add(hold);
        }
        for (DrivenClaim hold : holds) {
            hold.mustRenew("it is one of " + MANY_HOLDS + " holds of one owner, none of which was released");
        }
        while (!holds.isEmpty()) {
            kit().claim(name)
                    .once()
                    .make()
                    .mustBeContended(holds.size() + " of " + MANY_HOLDS + " holds of its owner are left");
            holds.remove(holds.size() - 1).mustRelease(Release.RELEASED, "it was in force");
        }
        kit().claim(name).once().make().mustBeGranted("all " + MANY_HOLDS + " holds of its owner were released");
    }

    @LockRule({"4.6", "7.2"})
    @Needs({Capability.COUNTED_BY_STORE, Capability.PUSHED})
    default void rule72_theLastReleaseOfAnOwnerWakesWhicheverOfItsClientsItComesFrom() {
        for (boolean first : new boolean[] {true, false}) {
            DrivenClaim outer =
                    kit().claim(kit().newName()).leasing(kit().longLease()).makeGranted();
            DrivenClaim inner = kit().claim(outer.name())
                    .by(outer.ownerId())
                    .leasing(kit().longLease())
                    .make();
            inner.mustBeGranted("its owner holds the lock");
            DrivenClaim waiter =
                    kit().claim(outer.name()).leasing(kit().longLease()).make();
            waiter.mustWait();
            (first ? outer : inner).mustRelease(Release.RELEASED, "it is in force");
            int hints = waiter.mustWait();
            (first ? inner : outer).mustRelease(Release.RELEASED, "it is in force");
            Assertions.assertTrue(
                    Pace.within(Pace.WOKEN_WITHIN, () -> waiter.hints() > hints),
                    "the provider declares wake-up PUSH, but the release of the last hold of an owner, which it has through two"
                            + " clients, woke no waiter");
            waiter.release();
        }
    }

    @LockRule({"1.1", "1.3", "4.2", "4.6"})
    @Needs({Capability.COUNTED_BY_STORE, Capability.LEASED_PER_CLAIM})
    default void rule46_aClaimThatAttemptsAgainAfterItsLeaseIsAHoldOfItsOwnerAgain() {
        String name = kit().newName();
        DrivenClaim outer = kit().claim(name).leasing(kit().longLease()).makeGranted();
        DrivenClaim inner = kit().claim(name).by(outer.ownerId()).make();
        inner.mustBeGranted("its owner holds the lock");
        inner.outlive(kit().longestLife().plus(Pace.SLACK));

        inner.mustBeGranted("its owner holds the lock; an earlier grant of this claim has ended with its lease");
        inner.mustRenew("it was granted again");
        outer.mustRelease(Release.RELEASED, "its own lease has not ended");
        kit().claim(name)
                .once()
                .make()
                .mustBeContended("one of two holds is left, that of the claim which was granted again after its lease");
        inner.mustRelease(Release.RELEASED, "it was granted again, and renewed");
        kit().claim(name).once().make().mustBeGranted("both holds of its owner were released");
    }

    @LockRule({"3.1", "4.3"})
    @Needs({Capability.COUNTED_BY_STORE, Capability.LEASED_PER_CLAIM})
    default void rule43_aNestedHoldOutlivesTheOuterLease() {
        String name = kit().newName();
        DrivenClaim outer = kit().claim(name).makeGranted();
        DrivenClaim inner =
                kit().claim(name).by(outer.ownerId()).leasing(kit().longLease()).make();
        inner.mustBeGranted("the same owner holds the lock");
        inner.mustRenew("it holds the lock");
        outer.abandon();
        outer.outlive(kit().longestLife().plus(Pace.SLACK));

        kit().claim(name).once().make().mustBeContended("the nested hold has a longer lease than the outer one");
        outer.mustBeLost("its own lease has ended, and only another claim of its owner was renewed");
        inner.mustRenew("its own lease has not ended");
        inner.mustRelease(Release.RELEASED, "its own lease has not ended");
        kit().claim(name).once().make().mustBeGranted("the lease of the outer hold has ended");
    }

    @LockRule({"2.1", "2.2", "3.1", "4.3"})
    @Needs({Capability.COUNTED_BY_STORE, Capability.LEASED_PER_CLAIM})
    default void rule43_aRenewedHoldLastsItsOwnLeaseWhateverOtherHoldsItsOwnerHad() throws Exception {
        kit().conclusively(() -> {
            DrivenClaim outer =
                    kit().claim(kit().newName()).leasing(kit().longLease()).makeGranted();
            DrivenClaim inner = kit().claim(outer.name()).by(outer.ownerId()).make();
            inner.mustBeGranted("the same owner holds the lock");
            Pace.pass(kit().lease().dividedBy(2));
            if (Pace.now() - inner.calledAt() > kit().lease().toNanos()) {
                return false;
            }
            Duration left = inner.mustRenew("its lease has not ended");
            long until = inner.calledAt() + left.toNanos();
            outer.mustRelease(Release.RELEASED, "its own lease has not ended");

            DrivenClaim next =
                    kit().claim(outer.name()).leasing(kit().longLease()).make();
            DrivenClaim.Takeover takeover = next.takeOver(
                    kit().longestLife(),
                    "the lease of the nested hold has ended, and the outer one, a longer one, was released");
            next.release();
            return takeover.notBefore(
                    until,
                    kit().lease().dividedBy(4),
                    "the nested hold was renewed, while the outer one had a longer lease");
        });
    }

    @LockRule({"2.2", "4.2", "4.3"})
    @Needs({Capability.COUNTED_BY_STORE, Capability.LEASED_PER_CLAIM})
    default void rule43_aReleasedHoldChangesTheEndOfNoOther() {
        DrivenClaim first =
                kit().claim(kit().newName()).leasing(kit().longLease()).makeGranted();
        ClaimSpec more = kit().claim(first.name()).by(first.ownerId());
        DrivenClaim brief = more.make();
        brief.mustBeGranted("the same owner holds the lock");
        DrivenClaim lasting = more.leasing(kit().longLease()).make();
        lasting.mustBeGranted("the same owner holds the lock");
        first.mustRelease(Release.RELEASED, "its own lease has not ended");
        brief.abandon();
        brief.outlive(kit().longestLife().plus(Pace.SLACK));

        kit().claim(first.name())
                .once()
                .make()
                .mustBeContended("of three holds the last one has a lease that has not ended");
        lasting.mustRenew("its own lease has not ended");
    }

    @LockRule("4.4")
    default void rule44_ownersWhoseIdsAreAlikeAreDifferentOwners() {
        String brief = "owner-" + UUID.randomUUID() + "-x";
        mustExclude(brief, brief.toUpperCase(Locale.ROOT), brief + " ", brief + "1", brief.substring(1));
        mustExclude(brief + "\u00E4", brief + "\u00F6", brief + "a", brief + "?", brief + "a\u0308");
        // The longest ids: a store that truncates them takes two owners for one.
        String longest = "x".repeat(LockOwner.MAX_ID_LENGTH - brief.length()) + brief;
        String stem = longest.substring(0, longest.length() - 1);
        mustExclude(longest, stem, stem + "y");
    }

    private void mustExclude(String owner, String... others) {
        String name = kit().newName();
        kit().claim(name).by(owner).leasing(kit().longLease()).makeGranted();
        for (String other : others) {
            kit().claim(name)
                    .by(other)
                    .once()
                    .make()
                    .mustBeContended("'" + other + "' is not its owner '" + owner + "'");
        }
    }

    @LockRule("4.5")
    @Needs(Capability.FENCED)
    default void rule45_theNextClaimAfterALossIsAFreshGrant() {
        String name = kit().newName();
        DrivenClaim late = kit().claim(name).make();
        long before = DrivenClaim.token(late.mustBeGranted("nobody holds the lock"));
        late.outlive(kit().longestLife().plus(Pace.SLACK));

        DrivenClaim fresh =
                kit().claim(name).by(late.ownerId()).leasing(kit().longLease()).make();
        long after = DrivenClaim.token(fresh.mustBeGranted("the lease of its owner's earlier claim has ended"));
        DrivenClaim.mustBeNewer(after, before, "a fresh grant has a fresh token");
        late.mustBeLost("its lease has ended; the new claim of its owner does not revive it");
        late.mustRelease(Release.NOT_HELD, "its lease has ended; the new claim of its owner does not revive it");
        kit().claim(name).once().make().mustBeContended("only the dead claim of the same owner was released");
        fresh.mustRelease(Release.RELEASED, "it holds the lock");
        kit().claim(name).once().make().mustBeGranted("the dead claim of the same owner does not count");
    }

    @LockRule("4.6")
    @Needs(Capability.COUNTED_BY_CLIENT)
    default void rule46_theSameOwnerInAnotherClientIsContended() {
        String name = kit().newName();
        DrivenClaim holder = kit().claim(name).leasing(kit().longLease()).makeGranted();

        kit().claim(name)
                .by(holder.ownerId())
                .once()
                .make()
                .mustBeContended("the provider declares that clients count the holds of an owner");
    }
}
