package io.holdfast.lock.tck;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.lock.tck.faults.Fault;
import io.holdfast.lock.tck.faults.LostReply;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Assertions;

/** What a provider makes of requests that the store has carried out, and whose replies were lost. */
interface LostReplyRules extends Rules {

    @LockRule({"1.3", "5.6"})
    @Needs(hooks = Hook.LOST_REPLIES)
    default void rule13_anAttemptWhoseReplyWasLostCountsOnce() throws Exception {
        Fault lostReplies = lostReplies();
        LockProvider provider = Trouble.connected(kit());
        String name = kit().newName();
        DrivenClaim claim = kit().claim(provider, name).lasting().make();
        Trouble.during(lostReplies, () -> Trouble.mustFail(claim::attempt));
        // A store need not tell the token of a holder.
        Optional<FencingToken> before = kit().provider().holder(name).flatMap(LockHolder::fencingToken);

        Attempt.Granted again = Trouble.answered("an attempt", () -> claim.mustBeGranted("it has the lock already"));
        before.ifPresent(token -> Assertions.assertEquals(
                Optional.of(token), again.fencingToken(), "the token of the first grant, whose reply was lost"));
        claim.mustRelease(Release.RELEASED, "it holds the lock");
        kit().visitor(name).mustBeGranted("one release frees a lock, however often it was asked for");
    }

    /** A client that gets no reply does not send a second request, which would count the token. */
    @LockRule({"1.3", "6.1"})
    @Needs(value = Capability.FENCED, hooks = Hook.LOST_REPLIES)
    default void rule61_aGrantWhoseReplyWasLostHasATokenOfItsOwn() throws Exception {
        LockProvider provider = Trouble.connected(kit());
        DrivenClaim claim = kit().claim(provider, kit().newName()).lasting().make();
        Trouble.during(lostReplies(), () -> Trouble.mustFail(claim::attempt));
        Attempt.Granted granted = Trouble.answered("an attempt", () -> claim.mustBeGranted("it has the lock already"));
        claim.mustRelease(Release.RELEASED, "it holds the lock");

        Tokens.mustBeNewer(
                Tokens.of(kit().visitor(claim.name()).mustBeGranted("the claim was released")),
                Tokens.of(granted),
                "the grant before, whose first reply was lost, had that");
    }

    /** A client that gets no reply does not send a second request, which would set the lease. */
    @LockRule({"2.1", "2.3"})
    @Needs(value = Capability.LEASED_PER_CLAIM, hooks = Hook.LOST_REPLIES)
    default void rule23_anAttemptWhoseReplyWasLostHoldsTheLockForALeaseAtMost() throws Exception {
        Fault lostReplies = lostReplies();
        LockProvider third = Trouble.connected(kit());
        DrivenClaim gone =
                kit().claim(Trouble.connected(kit()), kit().newName()).make();
        Trouble.during(lostReplies, () -> Trouble.mustFail(gone::attempt));
        gone.abandon();

        DrivenClaim next = kit().claim(third, gone.name()).lasting().make();
        Trouble.answered(
                "an attempt",
                () -> next.takeOverAndLeave(
                        kit().longestLife(), "the claim that may hold it got no reply, and nobody renews it"));
    }

    @LockRule({"1.3", "1.5"})
    @Needs(hooks = Hook.LOST_REPLIES)
    default void rule13_aWaitWhoseReplyWasLostHasOnePlace() throws Exception {
        LockProvider third = Trouble.connected(kit());
        DrivenClaim holder = kit().claim(third, kit().newName()).lasting().makeGranted();
        DrivenClaim waiter = waiterWithoutAReply(holder.name());
        Attempt unused = Trouble.answered("an attempt", waiter::attempt);
        Release unusedToo = Trouble.answered("a release", holder::release);

        Attempt.Granted unusedGrant = Trouble.answered(
                "an attempt", () -> waiter.mustBeGranted("it is the only claim that waits, and nobody holds the lock"));
        waiter.mustRelease(Release.RELEASED, "it holds the lock");
        Attempt.Granted unusedLast = Trouble.answered(
                "an attempt",
                () -> kit().visitor(third, holder.name()).mustBeGranted("the only claim that waited has left"));
    }

    @LockRule({"1.5", "7.6"})
    @Needs(hooks = Hook.LOST_REPLIES)
    default void rule15_aWaitWhoseReplyWasLostLeavesNoPlaceBehindItsRelease() throws Exception {
        LockProvider third = Trouble.connected(kit());
        DrivenClaim holder = kit().claim(third, kit().newName()).lasting().makeGranted();
        DrivenClaim waiter = waiterWithoutAReply(holder.name());
        Trouble.carriedOut("a release", () -> waiter.mustRelease(Release.NOT_HELD, "it only waited"));
        Release unused = Trouble.answered("a release", holder::release);

        DrivenClaim next = kit().tryingOnce(third, holder.name());
        Attempt.Granted unusedGrant = Trouble.answered(
                "an attempt", () -> next.mustBeGranted("the holder has left, and so has the only claim that waited"));
    }

    @LockRule({"5.1", "5.6"})
    @Needs(hooks = Hook.LOST_REPLIES)
    default void rule56_theReleaseOfAnAttemptWhoseReplyWasLostFreesTheLock() throws Exception {
        Fault lostReplies = lostReplies();
        LockProvider provider = Trouble.connected(kit());
        String name = kit().newName();
        DrivenClaim claim = kit().claim(provider, name).lasting().make();
        Trouble.during(lostReplies, () -> Trouble.mustFail(claim::attempt));

        Release release = Trouble.answered("a release", claim::release);
        Assertions.assertEquals(
                Release.RELEASED, release, "the store had granted the lock, and only the reply was lost");
        kit().visitor(name).mustBeGranted("the claim was released");
    }

    @LockRule({"5.1", "5.6"})
    @Needs(
            value = Capability.LEASED_PER_CLAIM,
            hooks = {Hook.LOST_REPLIES, Hook.OUTAGE})
    default void rule56_anAttemptThatCannotBeSentHidesNoneBeforeIt() throws Exception {
        Fault lostReplies = lostReplies();
        Fault outage = Trouble.outage(kit());
        LockProvider provider = Trouble.connected(kit());
        DrivenClaim claim =
                kit().claim(provider, kit().newName()).outlastingFaults().make();
        Trouble.during(lostReplies, () -> Trouble.mustFail(claim::attempt));
        Trouble.during(outage, () -> Trouble.mustFail(claim::attempt));

        Release unused = Trouble.answered("a release after an outage", claim::release);
        DrivenClaim next = kit().tryingOnce(Trouble.connected(kit()), claim.name());
        next.mustPass("the claim was released that was granted the lock by an attempt without a reply, before another"
                + " attempt of it could not be sent");
    }

    /** The last answer that the provider has read says that the claim only waits. */
    @LockRule({"5.1", "5.6"})
    @Needs(hooks = Hook.LOST_REPLIES)
    default void rule56_theReleaseOfAWaiterWhoseGrantWasLostFreesTheLock() throws Exception {
        Fault lostReplies = lostReplies();
        LockProvider provider = Trouble.connected(kit());
        LockProvider third = Trouble.connected(kit());
        DrivenClaim holder = kit().claim(third, kit().newName()).lasting().makeGranted();
        DrivenClaim waiter = kit().claim(provider, holder.name()).lasting().make();
        waiter.mustBeContended("the lock is held");
        holder.mustRelease(Release.RELEASED, "it holds the lock");
        // A store that grants the lock to the waiter by itself needs no request, and so no reply.
        Trouble.during(lostReplies, () -> {
            boolean unused = Call.isAnswered(waiter::attempt);
        });
        Release unused = Trouble.answered("a release", waiter::release);

        DrivenClaim next = kit().tryingOnce(third, holder.name());
        Attempt.Granted unusedGrant = Trouble.answered(
                "an attempt", () -> next.mustBeGranted("the claim was released that was granted last"));
    }

    @LockRule({"1.6", "3.3"})
    @Needs(hooks = Hook.LOST_REPLIES)
    default void rule33_aRenewalWhoseReplyWasLostIsNoLoss() throws Exception {
        Fault lostReplies = lostReplies();
        LockProvider provider = Trouble.connected(kit());
        DrivenClaim holder = kit().claim(provider, kit().newName()).lasting().makeGranted();
        Trouble.during(lostReplies, () -> Trouble.mustFail(holder::renew));

        Trouble.answered("a renewal", () -> holder.mustRenew("only the reply to a renewal was lost"));
    }

    /** A store that finds another version of its record than the client knows has not given the lock to somebody else. */
    @LockRule({"1.6", "3.3"})
    @Needs(hooks = Hook.LOST_REPLIES)
    default void rule33_aBatchOfRenewalsWhoseReplyWasLostIsNoLoss() throws Exception {
        Fault lostReplies = lostReplies();
        LockProvider provider = Trouble.connected(kit());
        List<DrivenClaim> holders = kit().holders(provider, kit().longLease(), 2);
        Trouble.during(lostReplies, () -> Trouble.mustAllFail(() -> kit().renewAll(provider, holders)));

        List<Renewal> answers = Trouble.answered("a batch of renewals", () -> {
            List<Renewal> renewals = kit().renewAll(provider, holders);
            renewals.forEach(Trouble::knownOrThrown);
            return renewals;
        });
        for (Renewal answer : answers) {
            Assertions.assertInstanceOf(
                    Renewal.Held.class,
                    answer,
                    "the renewal of a lock that is held: only the reply to a batch of renewals was lost");
        }
        holders.forEach(holder -> holder.mustNotHaveLost("only the reply to a batch of renewals was lost"));
    }

    @LockRule({"5.1", "5.3"})
    @Needs(hooks = Hook.LOST_REPLIES)
    default void rule53_aReleaseAfterALostReplyFreesNoOtherClaim() throws Exception {
        Fault lostReplies = lostReplies();
        LockProvider provider = Trouble.connected(kit());
        String name = kit().newName();
        DrivenClaim former = kit().claim(provider, name).lasting().makeGranted();
        Trouble.during(lostReplies, () -> Trouble.mustFail(former::release));
        DrivenClaim holder = kit().claim(name).lasting().make();
        holder.mustBeGranted("the store has carried out the release whose reply was lost");
        Trouble.answered("a release", former::release);

        holder.mustRenew("the claim before it was released again");
        kit().visitor(name).mustBeContended("the claim before it was released again");
    }

    @LockRule({"5.6", "7.2"})
    @Needs(value = Capability.PUSHED, hooks = Hook.LOST_REPLIES)
    default void rule72_aReleaseWhoseReplyWasLostWakesWithItsRepetitionAtTheLatest() throws Exception {
        Fault lostReplies = lostReplies();
        LockProvider waiting = Trouble.connected(kit());
        DrivenClaim holder = kit().claim(Trouble.connected(kit()), kit().newName())
                .outlastingFaults()
                .makeGranted();
        DrivenClaim waiter = kit().claim(waiting, holder.name()).lasting().make();
        int hints = waiter.mustWait();
        Trouble.during(lostReplies, () -> Trouble.mustFail(holder::release));
        Release unused = Trouble.answered("a release", holder::release);

        waiter.mustBeGrantedByHints(
                hints, Pace.LISTENS_WITHIN, "its release was repeated, as the first reply was lost");
        Release unusedToo = Trouble.answered("a release", waiter::release);
    }

    @LockRule({"1.3", "5.6"})
    @Needs(hooks = Hook.LOST_REPLY)
    default void rule13_anAttemptThatIsRepeatedWithinTheCallCountsOnce() throws Exception {
        LostReply lostReply = kit().harness().faults().lostReply().orElseThrow();
        LockProvider provider = Trouble.connected(kit());
        // It does not wait: the reply to a subscription is none of the lock's.
        DrivenClaim claim = kit().tryingOnce(provider, kit().newName());
        String because = "nobody else wants the lock";
        Trouble.during(lostReply.fault(), () -> {
            boolean unused = Call.isAnswered(() -> claim.mustBeGranted(because));
        });
        Attempt.Granted unused = Trouble.answered("an attempt", () -> claim.mustBeGranted(because));
        claim.mustRelease(Release.RELEASED, "it holds the lock");
        kit().visitor(claim.name()).mustBeGranted("one release frees a lock, however often it was asked for");
    }

    /** The provider may repeat it, and find that the lock is free: by its own first request, as far as it can know. */
    @LockRule("5.3")
    @Needs(hooks = Hook.LOST_REPLY)
    default void rule53_aReleaseThatIsRepeatedWithinTheCallIsNotReportedAsNotHeld() throws Exception {
        LostReply lostReply = kit().harness().faults().lostReply().orElseThrow();
        LockProvider provider = Trouble.connected(kit());
        DrivenClaim holder = kit().tryingOnce(provider, kit().newName());
        holder.mustBeGranted("nobody holds the lock");
        boolean[] released = {false};
        Trouble.during(
                lostReply.fault(),
                () -> released[0] = Call.isAnswered(() -> {
                    holder.mustRelease(
                            Release.RELEASED,
                            "it was in force, and its reply was lost; a provider that does not know what has become of it must throw");
                    return true;
                }));
        if (!released[0]) {
            Release unused = Trouble.answered("a release", holder::release);
        }
        kit().visitor(holder.name()).mustBeGranted("its holder has released it");
    }

    private DrivenClaim waiterWithoutAReply(String name) throws Exception {
        Fault lostReplies = lostReplies();
        LockProvider provider = Trouble.connected(kit());
        DrivenClaim waiter = kit().claim(provider, name).lasting().make();
        Trouble.during(lostReplies, () -> {
            // Where it takes only a read to know that the lock is held, that reply need not be lost.
            boolean unused = Call.isAnswered(() -> waiter.mustBeContended("the lock is held"));
        });
        return waiter;
    }

    private Fault lostReplies() {
        return kit().harness().faults().lostReplies().orElseThrow();
    }
}
