package io.holdfast.lock.tck;

import io.holdfast.lock.UnsupportedCapabilityException;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import java.util.List;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Calls that meet within a microsecond. A change in two steps, however close to each other, lets another call in between. One
 * such rule runs at a time: the two threads of a {@link Duel} need a core each.
 *
 * <p>How likely a round meets the gap of a wrong provider is said at {@link Duel}. In memory nothing may lie between the two
 * steps, and the gap is small; on a store behind a network the two steps are two requests, and the gap is a good part of the
 * call.
 */
interface RaceRules extends Rules {

    /** What the rules of this chapter lock, so that they run one by one. */
    String CORES = "io.holdfast.lock.tck.cores";

    @LockRule("1.1")
    @ResourceLock(CORES)
    default void rule11_twoAttemptsAtTheSameMomentAreNotBothGranted() {
        LockProvider one = kit().provider();
        LockProvider other = kit().provider();
        new Duel(kit()).play((name, round) -> twoAttempt(name, one, round % 2 == 0 ? other : one));
    }

    /** The first claim of a name may have a record to make where later ones change it. */
    @LockRule("1.1")
    @ResourceLock(CORES)
    default void rule11_twoClaimsThatAreTheFirstOfANameAreNotBothGranted() {
        LockProvider one = kit().provider();
        LockProvider other = kit().provider();
        new Duel(kit()).play((used, round) -> twoAttempt(used + ":" + round, one, round % 2 == 0 ? other : one));
    }

    private Duel.Round twoAttempt(String name, LockProvider one, LockProvider other) {
        DrivenClaim first = kit().tryingOnce(one, name);
        DrivenClaim second = kit().tryingOnce(other, name);
        return new Duel.Round(first.opened()::attempt, second.opened()::attempt, (ofFirst, ofSecond) -> {
            boolean both = ofFirst instanceof Attempt.Granted && ofSecond instanceof Attempt.Granted;
            Assertions.assertFalse(
                    both, "two claims attempted at the same moment, and both were granted the free lock");
            boolean won = ofFirst instanceof Attempt.Granted;
            DrivenClaim loser = won ? second : first;
            loser.mustRelease(Release.NOT_HELD, "it was contended");
            DrivenClaim winner = won ? first : second;
            if (won || ofSecond instanceof Attempt.Granted) {
                winner.mustRenew("it was granted, and the claim that attempted at the same moment was not");
                winner.mustRelease(Release.RELEASED, "it was granted, and the other claim was not");
            }
        });
    }

    @LockRule({"1.1", "1.8"})
    @Needs(Capability.LEASED_PER_CLAIM)
    @ResourceLock(CORES)
    default void rule11_aQuestionDuringATakeoverFreesNoClaim() {
        LockProvider asking = kit().provider();
        LockProvider third = kit().provider();
        for (Takeovers.Change change : new Takeovers(kit()).whenTheLeasesEnd(late -> asking.holder(late.name()))) {
            kit().tryingOnce(third, change.next().name())
                    .mustBeContended("somebody only asked for the holder when the lease of the one before ended");
            change.next().mustRenew("somebody only asked for the holder when the lease of the one before ended");
            change.next().release();
        }
    }

    @LockRule({"5.1", "5.4"})
    @ResourceLock(CORES)
    default void rule51_aReleaseFreesNoClaimThatIsGrantedAtTheSameMoment() {
        LockProvider releasing = kit().provider();
        LockProvider other = kit().provider();
        LockProvider third = kit().provider();
        new Duel(kit()).play((name, round) -> {
            DrivenClaim before = kit().successor(releasing, name);
            DrivenClaim next = kit().tryingOnce(round % 2 == 0 ? other : releasing, name);
            return new Duel.Round(before.claim()::release, next.opened()::attempt, (released, attempt) -> {
                Assertions.assertEquals(Release.RELEASED, released, "the answer to the release of a claim in force");
                if (!(attempt instanceof Attempt.Granted)) {
                    next.mustBeGranted("the holder before has released the lock");
                }
                kit().tryingOnce(third, name)
                        .mustBeContended("it was granted to another claim in the moment of its release");
                next.mustRelease(Release.RELEASED, "only the holder before it has released");
            });
        });
    }

    @LockRule({"1.3", "4.2"})
    @Needs(value = Capability.LEASED_PER_CLAIM, hooks = Hook.ONE_REQUEST)
    @ResourceLock(CORES)
    default void rule13_twoCopiesOfOneAttemptAreOneGrant() {
        LockProvider provider = kit().provider();
        LockProvider third = kit().provider();
        new Duel(kit()).play((name, round) -> {
            DrivenClaim claim = kit().tryingOnce(provider, name);
            DrivenClaim copy = claim.copy();
            return new Duel.Round(claim.opened()::attempt, copy.opened()::attempt, (ofClaim, ofCopy) -> {
                // One may be told that the lock is busy, with the other copy. Its next attempt finds the grant.
                Attempt.Granted granted = copy.mustBeGranted(
                        "a copy of its attempt arrived at the same moment, and nobody held the lock");
                for (Object answer : List.of(ofClaim, ofCopy, claim.mustBeGranted("the store has it as granted"))) {
                    if (answer instanceof Attempt.Granted again) {
                        Assertions.assertEquals(
                                granted.fencingToken(),
                                again.fencingToken(),
                                "the tokens of two copies of one attempt");
                    }
                }
                claim.mustRelease(Release.RELEASED, "it was granted");
                kit().tryingOnce(third, name).mustPass("the one claim, of which two copies had arrived, was released");
                copy.mustRelease(Release.NOT_HELD, "the one claim, of which two copies had arrived, was released");
            });
        });
    }

    @LockRule({"4.2", "4.6"})
    @Needs(Capability.COUNTED_BY_STORE)
    @ResourceLock(CORES)
    default void rule42_holdsThatComeAndGoAtTheSameMomentAreAllCounted() {
        LockProvider[] clients = {kit().provider(), kit().provider(), kit().provider()};
        new Duel(kit()).play((name, round) -> {
            ClaimSpec spec = kit().claim(clients[0], name).owned().lasting().once();
            DrivenClaim outer = spec.make();
            DrivenClaim one = kit().claim(clients[0], name)
                    .byOwnerOf(outer)
                    .lasting()
                    .once()
                    .make();
            DrivenClaim two = kit().claim(clients[1], name)
                    .byOwnerOf(outer)
                    .lasting()
                    .once()
                    .make();
            return switch (round % 3) {
                case 0 -> twoEnter(clients[2], outer, one, two);
                case 1 -> twoLeave(clients[2], outer, one, two);
                default -> oneEntersAndOneLeaves(clients[2], one, two);
            };
        });
    }

    private Duel.Round twoEnter(LockProvider third, DrivenClaim outer, DrivenClaim one, DrivenClaim two) {
        outer.mustBeGranted("nobody holds the lock");
        return new Duel.Round(one.opened()::attempt, two.opened()::attempt, (ofOne, ofTwo) -> {
            Assertions.assertInstanceOf(Attempt.Granted.class, ofOne, "the same owner holds the lock");
            Assertions.assertInstanceOf(Attempt.Granted.class, ofTwo, "the same owner holds the lock");
            outer.mustRelease(Release.RELEASED, "it is in force");
            one.mustRelease(Release.RELEASED, "it is in force");
            kit().tryingOnce(third, outer.name())
                    .mustBeContended("one of two holds that began at the same moment is left");
            two.mustRelease(Release.RELEASED, "it is in force");
            kit().tryingOnce(third, outer.name())
                    .mustPass("all holds, two of which began at the same moment, were released");
        });
    }

    private Duel.Round twoLeave(LockProvider third, DrivenClaim outer, DrivenClaim one, DrivenClaim two) {
        outer.mustBeGranted("nobody holds the lock");
        one.mustBeGranted("the same owner holds the lock");
        two.mustBeGranted("the same owner holds the lock");
        return new Duel.Round(one.claim()::release, two.claim()::release, (ofOne, ofTwo) -> {
            Assertions.assertEquals(Release.RELEASED, ofOne, "the answer to the release of a hold in force");
            Assertions.assertEquals(Release.RELEASED, ofTwo, "the answer to the release of a hold in force");
            kit().tryingOnce(third, outer.name())
                    .mustBeContended("only two of three holds were released, at the same moment");
            outer.mustRelease(Release.RELEASED, "it is in force");
            kit().tryingOnce(third, outer.name()).mustPass("all holds, two of them at the same moment, were released");
        });
    }

    private Duel.Round oneEntersAndOneLeaves(LockProvider third, DrivenClaim leaving, DrivenClaim entering) {
        leaving.mustBeGranted("nobody holds the lock");
        return new Duel.Round(leaving.claim()::release, entering.opened()::attempt, (released, attempt) -> {
            Assertions.assertEquals(Release.RELEASED, released, "the answer to the release of a hold in force");
            Assertions.assertInstanceOf(
                    Attempt.Granted.class, attempt, "its owner holds the lock, or leaves it at this moment");
            kit().tryingOnce(third, leaving.name())
                    .mustBeContended("its owner entered again at the moment of a release");
            entering.mustRelease(Release.RELEASED, "only another hold of its owner was released");
            kit().tryingOnce(third, leaving.name()).mustPass("both holds of its owner were released");
        });
    }

    @LockRule({"6.1", "6.7"})
    @Needs(value = Capability.FENCED, hooks = Hook.DISPOSABLE)
    @ResourceLock(CORES)
    default void rule67_noTokenIsGivenTwiceWhenTokensAreRaisedDuringGrants() {
        LockProvider raising = kit().provider();
        LockProvider granting = kit().provider();
        if (!raisesTokens(raising)) {
            return;
        }
        long[] last = {0};
        new Duel(kit()).play((name, round) -> {
            last[0] = grownTo(last[0], token(granting, name));
            // Little more than the last: a raise that is not one step sets the counter back behind a grant.
            long above = last[0] + 1 + round % 2;
            return new Duel.Round(
                    () -> {
                        raising.raiseTokens(above);
                        return above;
                    },
                    () -> {
                        long first = token(granting, name);
                        long second = grownTo(first, token(granting, name));
                        return new long[] {first, grownTo(second, token(granting, name))};
                    },
                    (raised, granted) -> {
                        long[] tokens = (long[]) granted;
                        grownTo(last[0], tokens[0]);
                        last[0] = grownTo(Math.max(above, tokens[1]), token(granting, name));
                    });
        });
    }

    /** Further than a clock in microseconds gets in a round. Thousands of rounds come to no limit of a store. */
    long FAR = 1_000_000_000;

    @LockRule("6.7")
    @Needs(value = Capability.FENCED, hooks = Hook.DISPOSABLE)
    @ResourceLock(CORES)
    default void rule67_ofTwoRaisesAtOnceTheGreaterCounts() {
        LockProvider one = kit().provider();
        LockProvider other = kit().provider();
        LockProvider granting = kit().provider();
        if (!raisesTokens(one)) {
            return;
        }
        new Duel(kit()).play((name, round) -> {
            long smaller = token(granting, name) + FAR;
            long greater = smaller + FAR;
            return new Duel.Round(
                    () -> raised(one, round % 2 == 0 ? smaller : greater),
                    () -> raised(other, round % 2 == 0 ? greater : smaller),
                    (first, second) -> Tokens.mustBeNewer(
                            token(granting, name),
                            greater,
                            "they were raised to that, and to less at the same moment"));
        });
    }

    private static boolean raisesTokens(LockProvider provider) {
        try {
            provider.raiseTokens(provider.highestToken());
            return true;
        } catch (UnsupportedCapabilityException refused) {
            return false;
        }
    }

    private static long raised(LockProvider provider, long above) {
        provider.raiseTokens(above);
        return above;
    }

    private long token(LockProvider provider, String name) {
        DrivenClaim claim = kit().tryingOnce(provider, name);
        long token = Tokens.of(claim.mustBeGranted("the holder before has released the lock"));
        claim.release();
        return token;
    }

    private static long grownTo(long last, long token) {
        Tokens.mustBeNewer(token, last, "tokens grow with every grant, also while they are raised");
        return token;
    }
}
