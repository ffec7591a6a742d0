package io.holdfast.lock.tck;

import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Assertions;

/** Tokens that are reserved with a grant. A provider that gives each grant one token keeps these rules, too. */
interface ReservedTokenRules extends Rules {

    /** What the engine asks for when others of its client want the lock, if nothing else is set. */
    int WANTED = 17;

    /** So many that a clock of microseconds does not pass them between two calls, and that a store may still reserve. */
    int MANY = 5_000;

    /** So many that other clients do not use them up between two calls either. */
    int VERY_MANY = 1_000_000;

    @LockRule({"6.1", "6.8"})
    @Needs(Capability.FENCED)
    default void rule68_laterGrantsHaveGreaterTokensThanThoseThatWereReserved() {
        LockProvider[] providers = {kit().provider(), kit().provider()};
        String name = kit().newName();
        long last = 0;
        int turn = 0;
        for (int wanted : List.of(1, WANTED, WANTED, 1, 2, MANY, 1, MANY, VERY_MANY, 1, VERY_MANY)) {
            DrivenClaim claim = kit().tryingOnce(providers[turn++ % 2], name);
            last = lastAbove(last, claim.mustBeGranted(wanted, "nobody holds the lock"));
            claim.release();
        }
    }

    /** A clock passes reserved tokens by itself, but not soon after tokens were raised above it. */
    @LockRule({"6.7", "6.8"})
    @Needs(value = Capability.FENCED, hooks = Hook.DISPOSABLE)
    default void rule68_noClockIsNeededToKeepTokensReserved() {
        LockProvider provider = kit().provider();
        long last = Tokens.raisedMuch(kit(), provider);
        String name = kit().newName();
        for (int turn = 0; turn < 5; turn++) {
            DrivenClaim claim = kit().tryingOnce(provider, name);
            last = lastAbove(last, claim.mustBeGranted(WANTED, "nobody holds the lock"));
            claim.release();
        }
    }

    /** A store that grants a lock to a claim that waits may take its token in another way. */
    @LockRule({"6.1", "6.7", "6.8"})
    @Needs(
            value = {Capability.FENCED, Capability.PUSHED},
            hooks = Hook.DISPOSABLE)
    default void rule68_aClaimThatIsWokenAfterARaiseHasNewTokensOfItsOwn() {
        LockProvider provider = kit().provider();
        LockProvider waiting = kit().provider();
        String name = kit().newName();
        long last = Tokens.raisedMuch(kit(), provider);
        for (int turn = 0; turn < 3; turn++) {
            DrivenClaim holder = kit().tryingOnce(provider, name);
            last = lastAbove(last, holder.mustBeGranted(1, "nobody holds the lock"));
            DrivenClaim waiter = kit().claim(waiting, name).lasting().make();
            Attempt unused = waiter.attemptFor(WANTED);
            int hints = waiter.mustWait();
            Attempt unusedToo = waiter.attemptFor(WANTED);
            holder.mustRelease(Release.RELEASED, "it holds the lock");
            boolean unusedWoken = Pace.within(Pace.WOKEN_WITHIN, () -> waiter.hints() > hints);
            last = lastAbove(last, waiter.mustBeGranted(WANTED, "its holder has released the lock"));
            waiter.mustRelease(Release.RELEASED, "it holds the lock");
        }
    }

    @LockRule({"6.1", "6.8"})
    @Needs(Capability.FENCED)
    default void rule68_reservedTokensStayReservedWhenTheLeaseEnds() {
        String name = kit().newName();
        DrivenClaim late = kit().claim(name).make();
        long last = lastAbove(0, late.mustBeGranted(VERY_MANY, "nobody holds the lock"));
        late.outlive(kit().longestLife().plus(Pace.SLACK));

        DrivenClaim next = kit().takingOver(kit().visitor(name), "the lease has ended");
        lastAbove(last, next.mustBeGranted(1, "it was granted before"));
    }

    @LockRule({"6.1", "6.3", "6.8"})
    @Needs(value = Capability.LASTINGLY_FENCED, hooks = Hook.REMOVER)
    default void rule68_reservedTokensStayReservedWhenTheRecordIsRemoved() {
        for (int wanted : List.of(WANTED, MANY, VERY_MANY)) {
            String name = kit().newName();
            DrivenClaim removed = kit().claim(name).lasting().make();
            long last = lastAbove(0, removed.mustBeGranted(wanted, "nobody holds the lock"));
            kit().remove(name);

            lastAbove(last, kit().visitor(name).mustBeGranted(1, "the record was removed"));
        }
    }

    @LockRule({"6.3", "6.8"})
    @Needs(value = Capability.FENCED, hooks = Hook.CRASH)
    default void rule68_reservedTokensStayReservedAcrossACrash() throws Exception {
        LockProvider provider = Trouble.connected(kit());
        DrivenClaim before = kit().tryingOnce(provider, kit().newName());
        long last = lastAbove(0, before.mustBeGranted(VERY_MANY, "nobody holds the lock"));
        before.mustRelease(Release.RELEASED, "it holds the lock");
        Trouble.during(Trouble.crash(kit()), () -> {});

        DrivenClaim next = kit().tryingOnce(provider, before.name());
        lastAbove(last, Trouble.answered("an attempt", () -> next.mustBeGranted(1, "nobody holds the lock")));
    }

    @LockRule({"1.3", "6.2", "6.8"})
    @Needs(Capability.FENCED)
    default void rule68_aRepeatedAttemptPromisesNoOtherTokens() {
        String name = kit().newName();
        DrivenClaim holder = kit().claim(name).lasting().make();
        Attempt.Granted first = holder.mustBeGranted(WANTED, "nobody holds the lock");
        Attempt.Granted again = holder.mustBeGranted(WANTED, "the store has this very claim as granted");
        Attempt.Granted more = holder.mustBeGranted(VERY_MANY, "the store has this very claim as granted");
        for (Attempt.Granted repeated : List.of(again, more)) {
            Assertions.assertEquals(
                    first.fencingToken(), repeated.fencingToken(), "the token of the first grant, which was repeated");
            Assertions.assertEquals(
                    1,
                    repeated.tokens(),
                    "the tokens of a claim that is granted again: it may have passed the others on");
        }
        long last = Math.max(Tokens.of(first) + first.tokens() - 1, Math.max(lastAbove(0, again), lastAbove(0, more)));
        holder.release();

        lastAbove(last, kit().visitor(name).mustBeGranted(1, "the holder has released the lock"));
    }

    @LockRule({"1.3", "6.8"})
    @Needs(Capability.FENCED)
    default void rule68_aRepeatedAttemptPromisesNoMoreThanTheFirst() {
        String name = kit().newName();
        LockProvider provider = kit().provider();
        long last = 0;
        for (int[] wanted : new int[][] {{1, WANTED}, {WANTED, 1}}) {
            DrivenClaim holder = kit().tryingOnce(provider, name);
            long first = lastAbove(last, holder.mustBeGranted(wanted[0], "nobody holds the lock"));
            long again = lastAbove(last, holder.mustBeGranted(wanted[1], "the store has this very claim as granted"));
            last = Math.max(first, again);
            holder.release();
            last = lastAbove(
                    last, kit().tryingOnce(provider, name).mustPass("the holder before has released the lock"));
        }
    }

    @LockRule("6.8")
    @Needs(Capability.FENCED)
    default void rule68_theHighestTokenIsNotBelowThoseThatWereReserved() {
        LockProvider provider = kit().provider();
        DrivenClaim holder = kit().claim(provider, kit().newName()).lasting().make();
        Attempt.Granted granted = holder.mustBeGranted(VERY_MANY, "nobody holds the lock");
        if (granted.tokens() > 1) {
            long last = lastAbove(0, granted);
            Assertions.assertTrue(
                    provider.highestToken() >= last,
                    () -> "the highest token must not be below " + last + ", which a grant has reserved");
        }
        holder.release();
    }

    @LockRule({"6.1", "6.8"})
    @Needs(Capability.FENCED)
    default void rule68_aClaimThatAskedForFewerBeforeHasReservedAllThatItIsTold() {
        LockProvider provider = kit().provider();
        DrivenClaim holder = kit().claim(provider, kit().newName()).lasting().makeGranted();
        DrivenClaim claim = kit().tryingOnce(provider, holder.name());
        claim.mustBeContended("the lock is held");
        holder.mustRelease(Release.RELEASED, "it holds the lock");
        long last = lastAbove(0, claim.mustBeGranted(WANTED, "its holder has left"));
        claim.mustRelease(Release.RELEASED, "it holds the lock");

        long unused = lastAbove(last, kit().visitor(provider, holder.name()).mustBeGranted("its holder has left"));
    }

    /** Which a store may read in pieces. */
    int MANY_NAMES = 250;

    int ASKED_EACH = 10;

    @LockRule("6.8")
    @Needs(Capability.FENCED)
    default void rule68_theHighestTokenIsThatOfAllOfManyNames() {
        LockProvider provider = kit().provider();
        for (int number = 1; number <= MANY_NAMES; number++) {
            DrivenClaim claim = kit().visitor(provider, kit().newName());
            // The highest one is that of the last name, also where each name has tokens of its own.
            Attempt.Granted granted = claim.mustBeGranted(number, "nobody holds the lock");
            claim.release();
            if (number % ASKED_EACH == 0) {
                long last = lastAbove(0, granted);
                int names = number;
                Tokens.highest(provider)
                        .ifPresent(highest -> Assertions.assertTrue(
                                highest >= last,
                                () -> "of " + names + " locks that were held, one had the token " + last
                                        + ", but the highest token is to be " + highest));
            }
        }
    }

    @LockRule({"4.6", "6.2", "6.8"})
    @Needs({Capability.COUNTED_BY_STORE, Capability.FENCED})
    default void rule62_aHoldThatReservedTokensKeepsItsTokenWhenItsFirstClaimIsReleased() {
        String name = kit().newName();
        DrivenClaim first = kit().claim(name).owned().lasting().make();
        long token = Tokens.of(first.mustBeGranted(WANTED, "nobody holds the lock"));
        DrivenClaim second = kit().claim(name).byOwnerOf(first).lasting().make();
        second.mustBeGranted("its owner holds the lock");
        first.mustRelease(Release.RELEASED, "it holds the lock");

        DrivenClaim third = kit().claim(name).byOwnerOf(first).lasting().make();
        Assertions.assertEquals(
                token,
                Tokens.of(third.mustBeGranted("its owner holds the lock by another claim")),
                "the token of a nested hold, after the claim was released that began the hold, and had reserved tokens");
    }

    @LockRule({"6.1", "6.8"})
    @Needs(Capability.FENCED)
    default void rule68_noTwoGrantsHaveOneTokenHoweverManyContend() throws InterruptedException {
        Queue<Attempt.Granted> grants = new ConcurrentLinkedQueue<>();
        Hammer hammer = new Hammer(Duration.ofMillis(600));
        hammer.contendFor(kit().newName(), kit(), WANTED, grants::add);

        hammer.run();

        long last = 0;
        for (Attempt.Granted grant : grants) {
            last = lastAbove(last, grant);
        }
    }

    /** The last token of a grant, whose tokens must be greater than one. */
    private static long lastAbove(long last, Attempt.Granted grant) {
        long token = Tokens.of(grant);
        Tokens.mustBeNewer(token, last, "tokens are greater than all that were given or reserved before");
        return token + grant.tokens() - 1;
    }
}
