package io.holdfast.lock.tck;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.lock.tck.faults.Fault;
import io.holdfast.lock.tck.faults.Faults;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;

/** What a provider keeps under faults of its store and of the way to it. */
interface FaultRules extends Rules {

    /** More than a pool has connections: an attempt that waits for one in vain knows nothing of its lock. */
    int MANY_ATTEMPTS = 40;

    @LockRule("1.6")
    @Needs(hooks = Hook.PAUSE)
    default void rule16_noneOfManyAttemptsIsRefusedByAStoreThatDoesNotAnswer() throws Exception {
        Fault pause = faults().pause().orElseThrow();
        LockProvider provider = Trouble.connected(kit());
        List<DrivenClaim> claims = Stream.generate(
                        () -> kit().claim(provider, kit().newName()).once().make())
                .limit(MANY_ATTEMPTS)
                .toList();
        Trouble.during(pause, () -> {
            List<Call<Attempt>> attempts =
                    claims.stream().map(claim -> Call.start(claim::attempt)).toList();
            for (Call<Attempt> attempt : attempts) {
                Trouble.mustEnd(attempt, "an attempt");
                attempt.mustFailWith(LockStoreException.class, "the store does not answer");
            }
        });
        for (DrivenClaim claim : claims) {
            Release unused = Trouble.answered("a release", claim::release);
            // The answers to the attempts come now, and are none to other questions.
            Assertions.assertEquals(
                    Optional.empty(),
                    Trouble.answered("a question", () -> provider.holder(kit().newName())),
                    "the holder of a free lock, after the store did not answer for a while");
        }
    }

    @LockRule("2.5")
    @Needs(hooks = Hook.SLOW_NETWORK)
    default void rule25_validForEndsBeforeTheClaimDoesOnASlowNetwork() throws Exception {
        Duration late = kit().lateness();
        Fault slow = faults().slowNetwork().orElseThrow().apply(late);
        kit().conclusively(() -> {
            LockProvider provider = Trouble.connected(kit());
            LockProvider nearby = Trouble.connected(kit());
            String name = kit().newName();
            DrivenClaim holder = kit().claim(provider, name).make();
            Duration[] validFor = {Duration.ZERO};
            Trouble.during(slow, () -> validFor[0] = grantedLate(holder).validFor());
            long promised = holder.calledAt() + validFor[0].toNanos();
            // A provider that counts from the reply is wrong by the lateness: a gap as long as that would hide it.
            return kit().claim(nearby, name)
                    .make()
                    .takeOverAndLeave(kit().longestLife(), "the holder's lease has ended")
                    .notBefore(promised, late, "the grant, whose reply came late, was valid until later");
        });
    }

    /**
     * A grant on a slow network. A provider may give up an attempt that takes a good part of the lease, or give its grant back.
     */
    private Attempt.Granted grantedLate(DrivenClaim holder) {
        try {
            return holder.mustBeGranted("nobody holds the lock");
        } catch (LockStoreException | AssertionError refused) {
            Duration took = Pace.since(holder.calledAt());
            if (took.compareTo(kit().lease().dividedBy(2)) < 0) {
                throw refused;
            }
            throw new InconclusiveError(
                    "on a slow network the attempt took " + took.toMillis() + " ms of a lease of "
                            + kit().lease().toMillis() + " ms: " + refused,
                    refused);
        }
    }

    @LockRule({"1.1", "2.1", "3.2", "9.5"})
    @Needs(hooks = Hook.PAUSE)
    default void rule95_aStoreThatWasPausedForLongerThanTheLeaseHasOneHolder() throws Exception {
        Fault pause = faults().pause().orElseThrow();
        LockProvider other = Trouble.connected(kit());
        String name = kit().newName();
        DrivenClaim former = kit().claim(name).makeGranted();
        Trouble.during(pause, () -> Pace.pass(kit().longestLife()));
        DrivenClaim holder = kit().claim(other, name).lasting().make();
        Trouble.answered("an attempt", holder::attempt);
        Trouble.answered(
                "an attempt",
                () -> holder.takeOver(
                        kit().longestLife(), "the lease of its holder has ended during a pause of the store"));

        Trouble.carriedOut("a renewal", () -> former.mustBeLost("another claim has been granted the lock"));
        Release release = Trouble.answered("a release", former::release);
        Assertions.assertEquals(Release.NOT_HELD, release, "the release of a claim that another one has followed");
        Trouble.answered("a renewal", () -> holder.mustRenew("the claim before it has ended"));
        DrivenClaim visitor = kit().visitor(name);
        Trouble.answered("an attempt", () -> visitor.mustBeContended("the lock is held"));
    }

    @LockRule({"1.6", "3.2"})
    @Needs(
            value = Capability.LEASED_PER_CLAIM,
            hooks = {Hook.PAUSE, Hook.REMOVER})
    default void rule32_aReplyThatComesAfterItsTimeOutAnswersNoLaterCall() throws Exception {
        Fault pause = faults().pause().orElseThrow();
        LockProvider provider = Trouble.connected(kit());
        List<DrivenClaim> holders = Trouble.holders(kit(), provider, 3);
        // The first renewal of a provider may ask for something else before.
        holders.forEach(holder -> holder.mustRenew("it holds the lock"));
        Trouble.during(
                pause, () -> Crowd.together(holders.stream().map(holder -> () -> Trouble.mustFail(holder::renew))));
        holders.forEach(holder -> kit().remove(holder.name()));

        for (DrivenClaim holder : holders) {
            Trouble.carriedOut("a renewal", () -> holder.mustBeLost("an operator has removed the record of the lock"));
        }
    }

    @LockRule({"2.2", "6.3", "9.5"})
    @Needs(value = Capability.LEASED_PER_CLAIM, hooks = Hook.CRASH)
    default void rule22_aHolderOutlivesACrashThatKeepsTheData() throws Exception {
        Fault crash = Trouble.crash(kit());
        LockProvider other = Trouble.connected(kit());
        String name = kit().newName();
        DrivenClaim holder = kit().claim(name).outlastingFaults().makeGranted();
        // A store that does again what it has noted must not do more than it did.
        DrivenClaim gaveUp = kit().claim(other, name).lasting().make();
        gaveUp.mustBeContended("another claim holds the lock");
        gaveUp.mustRelease(Release.NOT_HELD, "a contended claim holds nothing");
        // A client may mend once what a store has forgotten.
        for (int time = 0; time < 2; time++) {
            Trouble.during(crash, () -> {});
            Trouble.answered(
                    "an attempt",
                    () -> kit().visitor(other, name).mustBeContended("the store was killed and has its data"));
            Trouble.answered("a renewal", () -> holder.mustRenew("the store was killed and has its data"));
        }
        Trouble.carriedOut(
                "a release", () -> holder.mustRelease(Release.RELEASED, "the store was killed and has its data"));
    }

    @LockRule({"6.1", "6.3"})
    @Needs(value = Capability.FENCED, hooks = Hook.CRASH)
    default void rule63_tokensGrowAcrossACrashThatKeepsTheData() throws Exception {
        Fault crash = Trouble.crash(kit());
        tokensGrowAcross(crash, "the store was killed and has its data");
    }

    @LockRule({"6.1", "6.3"})
    @Needs(value = Capability.CLOCKED, hooks = Hook.DATA_LOSS)
    default void rule63_tokensGrowAcrossALossOfTheData() throws Exception {
        Fault loss = faults().dataLoss().orElseThrow();
        tokensGrowAcross(loss, "the store has lost its data, and the provider declares that tokens grow across that");
    }

    private void tokensGrowAcross(Fault fault, String because) throws Exception {
        String name = kit().newName();
        long before = 0;
        for (int i = 0; i < 3; i++) {
            DrivenClaim claim = kit().claim(name).make();
            before = Tokens.of(claim.mustBeGranted("nobody holds the lock"));
            claim.release();
        }
        Trouble.during(fault, () -> {});
        DrivenClaim next = kit().claim(name).lasting().make();
        long after = Tokens.of(Trouble.answered("an attempt", () -> next.mustBeGranted("nobody holds the lock")));

        Tokens.mustBeNewer(after, before, because);
    }

    @LockRule({"3.2", "5.2", "8.5"})
    @Needs(value = Capability.LEASED_PER_CLAIM, hooks = Hook.DATA_LOSS)
    default void rule85_aHolderLearnsThatTheStoreHasLostItsData() throws Exception {
        Fault loss = faults().dataLoss().orElseThrow();
        LockProvider other = Trouble.connected(kit());
        String name = kit().newName();
        DrivenClaim former = kit().claim(name).lasting().makeGranted();
        Trouble.during(loss, () -> {});
        Trouble.carriedOut("a renewal", () -> former.mustBeLost("the store has lost its data"));
        DrivenClaim holder = kit().claim(other, name).lasting().make();
        Trouble.answered("an attempt", () -> holder.mustBeGranted("the store has lost its data"));

        Trouble.carriedOut("a renewal", () -> former.mustBeLost("another claim has the lock"));
        Release release = Trouble.answered("a release", former::release);
        Assertions.assertEquals(Release.NOT_HELD, release, "the release of a claim that was lost");
        Trouble.answered("a renewal", () -> holder.mustRenew("the claim before it was lost"));
    }

    @LockRule({"1.6", "9.5"})
    @Needs(hooks = Hook.EXHAUSTION)
    default void rule95_whileNoConnectionCanBeMadeHoldersGoOnAndNewcomersFail() throws Exception {
        Fault exhaustion = faults().exhaustion().orElseThrow();
        LockProvider provider = Trouble.connected(kit());
        DrivenClaim holder = kit().claim(provider, kit().newName()).lasting().makeGranted();
        DrivenClaim kept =
                kit().claim(provider, kit().newName()).outlastingFaults().makeGranted();
        Trouble.during(exhaustion, () -> {
            // Also the provider is opened now: it may connect at once.
            Trouble.mustFail(() -> kit().claim(kit().newName()).make().attempt());
            holder.mustRenew("its provider has a connection");
            for (Renewal renewal : kit().renewAll(provider, List.of(holder, kept))) {
                Assertions.assertInstanceOf(
                        Renewal.Held.class, renewal, "the renewal in a batch of a provider that has a connection");
            }
            holder.mustRelease(Release.RELEASED, "its provider has a connection");
        });

        DrivenClaim late = kit().claim(kit().newName()).lasting().make();
        Trouble.answered("an attempt", () -> late.mustBeGranted("connections can be made again"));
        kept.mustRenew("it holds the lock");
    }

    private Faults faults() {
        return kit().harness().faults();
    }
}
