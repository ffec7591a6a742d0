package io.holdfast.lock.tck;

import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockOwner;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Assertions;

/** Chapter 4, reentrancy, as far as the store is responsible. */
interface ReentryRules extends Rules {

    /** {@link io.holdfast.lock.spi.ClaimRequest} allows no more. */
    int LONGEST_OWNER_ID = 260;

    /** More claims of one owner than a table for them may have room for. */
    int MANY_HOLDS = 260;

    /** How many of them come from one client. */
    int HOLDS_OF_A_CLIENT = 10;

    @LockRule({"4.1", "4.6"})
    @Needs(Capability.COUNTED_BY_STORE)
    default void rule46_theSameOwnerReentersFromAnotherClient() {
        String name = kit().newName();
        DrivenClaim outer = kit().claim(name).owned().lasting().makeGranted();
        kit().claim(name).lasting().make().mustBeContended("the lock is held");

        DrivenClaim inner = kit().claim(name).byOwnerOf(outer).lasting().make();
        inner.mustBeGranted(
                "the same owner holds the lock, and the provider declares that the store counts its holds: a waiter does not matter");
        kit().visitor(name).mustBeContended("somebody else holds the lock, twice");
    }

    @LockRule({"4.2", "4.6"})
    @Needs(Capability.COUNTED_BY_STORE)
    default void rule42_theLastReleaseFreesTheLockInAnyOrder() {
        for (int[] order : new int[][] {{0, 1, 2}, {2, 1, 0}, {1, 0, 2}}) {
            String name = kit().newName();
            ClaimSpec spec = kit().claim(name).owned().lasting();
            List<DrivenClaim> holds = List.of(spec.makeGranted(), spec.make(), spec.make());
            holds.forEach(hold -> hold.mustBeGranted("the same owner holds the lock"));
            if (order[0] != 0) {
                holds.forEach(hold -> hold.mustBeGranted("the store has this very claim as granted"));
            }
            for (int left = order.length - 1; left > 0; left--) {
                DrivenClaim hold = holds.get(order[order.length - 1 - left]);
                hold.mustRelease(Release.RELEASED, "this claim was in force");
                hold.mustRelease(Release.NOT_HELD, "this claim was released before");
                kit().visitor(name)
                        .mustBeContended(
                                "not all of the three holds of its owner were released; a repeated release does not count");
            }
            holds.get(order[order.length - 1]).mustRelease(Release.RELEASED, "this claim was in force");
            kit().visitor(name)
                    .mustBeGranted("the last hold of its owner was released; an attempt that was repeated counts once");
        }
    }

    @LockRule({"1.5", "4.6", "5.4"})
    @Needs(Capability.COUNTED_BY_STORE)
    default void rule54_claimsOfOneOwnerThatWaitedLeaveNothingBehind() {
        for (boolean first : new boolean[] {true, false}) {
            DrivenClaim holder = kit().claim(kit().newName()).lasting().makeGranted();
            DrivenClaim one = kit().claim(holder.name()).owned().lasting().make();
            DrivenClaim other =
                    kit().claim(holder.name()).byOwnerOf(one).lasting().make();
            one.mustBeContended("the lock is held");
            other.mustBeContended("the lock is held");
            holder.mustRelease(Release.RELEASED, "it holds the lock");
            one.takeOver(Pace.SLACK, "the holder has released the lock");
            other.takeOver(Pace.SLACK, "its owner holds the lock");
            (first ? one : other).mustRelease(Release.RELEASED, "it is in force");
            (first ? other : one).mustRelease(Release.RELEASED, "it is in force");

            kit().tryingOnce(kit().provider(), holder.name())
                    .mustBeGranted("both claims of an owner that had waited for it were released");
        }
    }

    @LockRule({"4.3", "6.2"})
    @Needs({Capability.COUNTED_BY_STORE, Capability.FENCED})
    default void rule43_nestedHoldsShareOneToken() {
        String name = kit().newName();
        DrivenClaim outer = kit().claim(name).owned().lasting().make();
        Attempt.Granted first = outer.mustBeGranted("nobody holds the lock");
        Attempt.Granted nested =
                kit().claim(name).byOwnerOf(outer).lasting().make().mustBeGranted("the same owner holds the lock");

        Assertions.assertEquals(first.fencingToken(), nested.fencingToken(), "re-entry must not change the token");
        Assertions.assertEquals(
                first.fencingToken(),
                outer.mustBeGranted("it was granted before").fencingToken(),
                "re-entry must not change the token of the outer hold");
        outer.mustRelease(Release.RELEASED, "it holds the lock");
        Assertions.assertEquals(
                first.fencingToken(),
                kit().claim(name)
                        .byOwnerOf(outer)
                        .lasting()
                        .make()
                        .mustBeGranted("the same owner still holds the lock")
                        .fencingToken(),
                "a hold that is nested in a nested one must have its token, also after the outer one was released");
    }

    @LockRule({"4.2", "4.6"})
    @Needs(Capability.COUNTED_BY_STORE)
    default void rule46_manyHoldsOfOneOwnerAreAllCounted() {
        String name = kit().newName();
        DrivenClaim first = kit().claim(name).owned().lasting().makeGranted();
        List<DrivenClaim> holds = new ArrayList<>(List.of(first));
        LockProvider client = first.provider();
        for (int i = 1; i < MANY_HOLDS; i++) {
            client = i % HOLDS_OF_A_CLIENT == 0 ? kit().provider() : client;
            DrivenClaim hold =
                    kit().claim(client, name).byOwnerOf(first).lasting().make();
            hold.mustBeGranted("the same owner holds the lock, " + i + " times");
            holds.add(hold);
        }
        for (DrivenClaim hold : holds) {
            hold.mustRenew("it is one of " + MANY_HOLDS + " holds of one owner, none of which was released");
        }
        LockProvider visiting = kit().provider();
        while (!holds.isEmpty()) {
            kit().visitor(visiting, name)
                    .mustBeContended(holds.size() + " of " + MANY_HOLDS + " holds of its owner are left");
            holds.remove(holds.size() - 1).mustRelease(Release.RELEASED, "it was in force");
        }
        kit().visitor(name).mustBeGranted("all " + MANY_HOLDS + " holds of its owner were released");
    }

    @LockRule({"4.6", "7.2"})
    @Needs({Capability.COUNTED_BY_STORE, Capability.PUSHED})
    default void rule72_theLastReleaseOfAnOwnerWakesWhicheverOfItsClientsItComesFrom() {
        for (boolean first : new boolean[] {true, false}) {
            DrivenClaim outer = kit().claim(kit().newName()).owned().lasting().makeGranted();
            DrivenClaim inner =
                    kit().claim(outer.name()).byOwnerOf(outer).lasting().make();
            inner.mustBeGranted("its owner holds the lock");
            DrivenClaim waiter = kit().claim(outer.name()).lasting().make();
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

    @LockRule({"4.4", "9.8"})
    default void rule44_ownersWhoseIdsAreAlikeAreDifferentOwners() {
        String brief = "owner-" + UUID.randomUUID() + "-x";
        mustExclude(brief, brief.toUpperCase(Locale.ROOT), brief + " ", brief + "1", brief.substring(1));
        mustExclude(brief + "\u00E4", brief + "\u00F6", brief + "a", brief + "?", brief + "a\u0308");
        // The longest ids: a store that truncates them takes two owners for one.
        String longest = "x".repeat(LockOwner.MAX_ID_LENGTH - brief.length()) + brief;
        String stem = longest.substring(0, longest.length() - 1);
        mustExclude(longest, stem, stem + "y");
        // The engine puts a few characters in front of what an application names.
        String withFront = "x".repeat(LONGEST_OWNER_ID - longest.length()) + longest;
        mustExclude(withFront, withFront.substring(0, LONGEST_OWNER_ID - 1) + "y");
    }

    private void mustExclude(String owner, String... others) {
        String name = kit().newName();
        kit().claim(name).by(owner).lasting().makeGranted();
        Assertions.assertEquals(
                Optional.of(owner),
                kit().provider().holder(name).map(LockHolder::owner),
                "the owner that is shown as the holder");
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
        DrivenClaim late = kit().claim(name).owned().make();
        long before = Tokens.of(late.mustBeGranted("nobody holds the lock"));
        // Not later: the store may know the owner of the lock for a while longer.
        late.outlive(kit().longestLife());

        String because = "the lease of the same owner's earlier claim has ended";
        DrivenClaim fresh =
                kit().takingOver(kit().claim(name).byOwnerOf(late).lasting().make(), because);
        long after = Tokens.of(fresh.mustBeGranted(because));
        Tokens.mustBeNewer(after, before, "a fresh grant has a fresh token");
        late.mustBeLost("its lease has ended; the new claim of its owner does not revive it");
        late.mustRelease(Release.NOT_HELD, "its lease has ended; the new claim of its owner does not revive it");
        kit().visitor(name).mustBeContended("only the dead claim of the same owner was released");
        fresh.mustRelease(Release.RELEASED, "it holds the lock");
        kit().visitor(name).mustBeGranted("the dead claim of the same owner does not count");
    }

    @LockRule("4.6")
    @Needs(Capability.COUNTED_BY_CLIENT)
    default void rule46_theSameOwnerInAnotherClientIsContended() {
        String name = kit().newName();
        DrivenClaim holder = kit().claim(name).owned().lasting().makeGranted();

        kit().claim(name)
                .byOwnerOf(holder)
                .once()
                .make()
                .mustBeContended("the provider declares that clients count the holds of an owner");
    }

    @LockRule({"4.3", "4.6", "6.2"})
    @Needs({Capability.COUNTED_BY_STORE, Capability.FENCED})
    default void rule43_anOwnerOfSeveralLocksReentersEachUnderItsToken() {
        LockProvider provider = kit().provider();
        List<DrivenClaim> outer = new ArrayList<>();
        Map<String, Long> tokens = new HashMap<>();
        String owner = "owner-" + UUID.randomUUID();
        for (int i = 0; i < 3; i++) {
            DrivenClaim holder =
                    kit().claim(provider, kit().newName()).by(owner).lasting().make();
            tokens.put(holder.name(), Tokens.of(holder.mustBeGranted("nobody holds the lock")));
            outer.add(holder);
        }
        for (DrivenClaim holder : outer) {
            DrivenClaim inner = kit().claim(holder.name()).by(owner).lasting().make();
            Assertions.assertEquals(
                    tokens.get(holder.name()),
                    Tokens.of(inner.mustBeGranted("its owner holds the lock")),
                    "the token of a nested hold, whose owner has other locks, too: that of the same lock");
        }
    }

    /** Each client passes its claim on under the tokens that it has in stock. */
    @LockRule({"4.3", "6.8"})
    @Needs({Capability.COUNTED_BY_STORE, Capability.FENCED})
    default void rule68_twoHoldsOfAnOwnerHaveNoTokenInStockTwice() {
        int wanted = ReservedTokenRules.WANTED;
        for (int first : List.of(1, wanted)) {
            String name = kit().newName();
            DrivenClaim outer = kit().claim(name).owned().lasting().make();
            Attempt.Granted granted = outer.mustBeGranted(first, "nobody holds the lock");
            DrivenClaim inner = kit().claim(name).byOwnerOf(outer).lasting().make();
            Attempt.Granted nested = inner.mustBeGranted(wanted, "its owner holds the lock");
            Assertions.assertTrue(
                    granted.tokens() == 1 || nested.tokens() == 1,
                    () -> "two holds that share a token cannot both have those after it: " + granted + ", " + nested);
            long last = Tokens.of(granted) + Math.max(granted.tokens(), nested.tokens()) - 1;
            outer.release();
            inner.release();

            Tokens.mustBeNewer(
                    Tokens.of(kit().visitor(name).mustBeGranted("both holds of its owner were released")),
                    last,
                    "tokens are greater than all that were given or reserved before");
        }
    }
}
