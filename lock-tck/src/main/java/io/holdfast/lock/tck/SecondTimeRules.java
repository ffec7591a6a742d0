package io.holdfast.lock.tck;

import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.lock.tck.faults.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Assertions;

/** What works once has to work again: the same steps for the same lock, many times, and in another order. */
interface SecondTimeRules extends Rules {

    /** More than ten: a fault may come with the tenth of something. */
    int TIMES = 12;

    @LockRule({"1.1", "1.8"})
    default void rule18_whatAClientSawBeforeDecidesNothing() {
        String name = kit().newName();
        LockProvider one = kit().provider();
        LockProvider other = kit().provider();
        for (int time = 0; time < TIMES; time++) {
            LockProvider holding = time % 2 == 0 ? one : other;
            LockProvider asking = time % 2 == 0 ? other : one;
            Assertions.assertEquals(Optional.empty(), asking.holder(name), "the holder of a lock that was released");
            DrivenClaim holder = kit().claim(holding, name).lasting().makeGranted();
            if (time % 3 == 0) {
                mustShow(asking, holder);
            }
            kit().visitor(asking, name).mustBeContended("another client has it, though this one saw it free before");
            mustShow(asking, holder);
            holder.mustRenew("nobody has released it");
            holder.mustRelease(Release.RELEASED, "it holds the lock");
            if (time % 3 != 1) {
                Assertions.assertEquals(Optional.empty(), asking.holder(name), "the holder of a released lock");
            }
            kit().tryingOnce(asking, name)
                    .mustPass("its holder has released it, though this client saw it held before");
        }
    }

    private static void mustShow(LockProvider asking, DrivenClaim holder) {
        Assertions.assertEquals(
                Optional.of(holder.ownerId()),
                asking.holder(holder.name()).map(LockHolder::owner),
                "the owner that is shown to a client that saw the lock free before");
    }

    @LockRule({"1.3", "3.1", "5.3", "5.4"})
    default void rule54_oneOwnerTakesAndLeavesOneLockManyTimes() {
        String name = kit().newName();
        String owner = "owner-" + UUID.randomUUID();
        LockProvider provider = kit().provider();
        LockProvider third = kit().provider();
        Optional<DrivenClaim> before = Optional.empty();
        for (int time = 0; time < TIMES; time++) {
            DrivenClaim claim = kit().claim(provider, name).by(owner).lasting().make();
            Attempt.Granted granted = claim.mustBeGranted("its owner has released the lock");
            claim.mustRenew("it holds the lock");
            Assertions.assertEquals(
                    granted.fencingToken(),
                    claim.mustBeGranted("the store has this very claim as granted")
                            .fencingToken(),
                    "the token of a claim that is granted again after a renewal");
            claim.mustRenew("it holds the lock, and has repeated its attempt");
            before.ifPresent(gone -> {
                gone.mustBeLost("it was released; a later claim of the same owner holds the lock");
                gone.mustRelease(Release.NOT_HELD, "it was released; a later claim of the same owner holds the lock");
            });
            kit().visitor(third, name).mustBeContended("nobody has released the claim that is in force");
            claim.mustRelease(Release.RELEASED, "it holds the lock");
            claim.mustRelease(Release.NOT_HELD, "it was released before");
            DrivenClaim passing = kit().claim(third, name).lasting().make();
            // Where several servers vote, a vote may be split by what is still on its way to one of them.
            passing.takeOver(Pace.SLACK, "the only claim in force was released");
            passing.mustRelease(Release.RELEASED, "it holds the lock");
            before = Optional.of(claim);
        }
    }

    @LockRule({"1.3", "3.1"})
    @Needs(Capability.LEASED_PER_CLAIM)
    default void rule31_aRenewalAfterARepeatedAttemptIsForTheWholeLease() throws Exception {
        LockProvider holding = kit().provider();
        kit().conclusively(() -> {
            DrivenClaim holder = kit().claim(holding, kit().newName()).makeGranted();
            long first = holder.calledAt();
            Pace.pass(kit().lease().dividedBy(3));
            Attempt again = holder.attempt();
            Pace.pass(kit().lease().dividedBy(3));
            if (Pace.now() - first > kit().lease().toNanos()) {
                return false;
            }
            Assertions.assertInstanceOf(Attempt.Granted.class, again, "the store has this very claim as granted");
            Renewal renewal = holder.renew();
            if (Pace.now() - first > kit().lease().toNanos()) {
                return false;
            }
            Assertions.assertInstanceOf(
                    Renewal.Held.class, renewal, "the renewal must be held, because its lease has not ended");
            holder.mustNotHaveLost("its lease has not ended");
            return kit().endsNotBefore(
                            holder.name(),
                            holder.calledAt() + kit().lease().toNanos(),
                            "the claim had repeated its attempt, and was then renewed for "
                                    + kit().lease().toMillis() + " ms");
        });
    }

    @LockRule({"4.5", "5.2"})
    @Needs(hooks = Hook.REMOVER)
    default void rule45_anOwnerThatLosesALockAgainAndAgainHasOneClaimAtATime() {
        String name = kit().newName();
        String owner = "owner-" + UUID.randomUUID();
        LockProvider provider = kit().provider();
        LockProvider third = kit().provider();
        List<DrivenClaim> lost = new ArrayList<>();
        for (int time = 0; time < TIMES / 2; time++) {
            DrivenClaim claim = kit().claim(provider, name).by(owner).lasting().make();
            claim.mustBeGranted("the claim before was removed by an operator");
            for (DrivenClaim gone : lost) {
                gone.mustBeLost("it was removed; a later claim of the same owner does not revive it");
                gone.mustRelease(Release.NOT_HELD, "it was removed; a later claim of the same owner holds the lock");
            }
            kit().visitor(third, name).mustBeContended("only claims that were removed have been released");
            claim.mustRenew("only claims before it were removed");
            kit().remove(name);
            Assertions.assertEquals(Optional.empty(), provider.holder(name), "the holder of a lock that was removed");
            lost.add(claim);
        }
    }

    @LockRule("7.2")
    @Needs(Capability.PUSHED)
    default void rule72_aClientIsWokenAfterItWasIdle() throws InterruptedException {
        LockProvider idle = kit().provider();
        mustBeWoken(idle, "before its client was idle");
        Pace.pass(kit().longestLife().multipliedBy(2));
        mustBeWoken(idle, "after its client was idle");
    }

    private void mustBeWoken(LockProvider waiting, String when) throws InterruptedException {
        DrivenClaim holder = kit().claim(kit().newName()).lasting().makeGranted();
        DrivenClaim waiter = kit().claim(waiting, holder.name()).lasting().make();
        Call<Boolean> granted = waiter.waitingForHints(Pace.HANGS);
        holder.mustRelease(Release.RELEASED, "it holds the lock");
        Assertions.assertTrue(
                Rules.isWoken(granted),
                "the provider declares wake-up PUSH, but a waiting claim was not woken by the release of its lock "
                        + when);
        waiter.release();
    }

    @LockRule({"1.6", "7.2", "9.5"})
    @Needs(hooks = Hook.OUTAGE)
    default void rule95_theThirdOutageIsAsTheFirst() throws Exception {
        Fault outage = Trouble.outage(kit());
        LockProvider provider = kit().provider();
        LockProvider third = kit().provider();
        for (int time = 1; time <= 3; time++) {
            String during = "during outage number " + time + " a call that cannot reach the store must throw";
            DrivenClaim holder =
                    kit().claim(provider, kit().newName()).lasting().make();
            // A client may have a connection from before an outage, and find out only when it uses that.
            Trouble.answered("an attempt", () -> holder.mustBeGranted("nobody holds the lock"));
            DrivenClaim waiter = kit().claim(provider, holder.name()).lasting().make();
            DrivenClaim other = kit().claim(third, kit().newName()).lasting().make();
            Trouble.answered("an attempt", () -> waiter.mustBeContended("the lock is held"));
            Map<String, Callable<Object>> calls = Map.of(
                    "attempt", waiter::attempt,
                    "renewal", holder::renew,
                    "attempt of another client", other::attempt,
                    "question for the holder", () -> provider.holder(holder.name()));
            outage.begin().run();
            try {
                List<Call<Object>> running = calls.values().stream()
                        .map(call -> Call.start(() -> answerOfTheStore(call.call())))
                        .toList();
                running.forEach(call -> call.mustFailWith(LockStoreException.class, during));
            } finally {
                outage.end().run();
            }
            int number = time;
            calls.forEach((what, call) -> Assertions.assertTrue(
                    Pace.within(Pace.BACK_WITHIN, () -> Call.isAnswered(call)),
                    () -> "after outage number " + number + " the store must be reached again: " + what));
            Assertions.assertTrue(
                    Pace.within(Pace.BACK_WITHIN, () -> Call.isAnswered(holder::release)),
                    () -> "after outage number " + number + " the store must be reached again: release");
            Trouble.answered(
                    "an attempt",
                    () -> waiter.takeOver(Pace.LISTENS_WITHIN, "the holder has released it after an outage"));
            Trouble.answered("a release", waiter::release);
            Trouble.answered("a release", other::release);
        }
    }

    /** A client that has given up its session tells the loss of its claims without the store, which is no answer of that. */
    private static Object answerOfTheStore(Object answer) {
        if (answer instanceof Renewal.Lost lost && lost.cause() == LossCause.SESSION_ENDED) {
            throw new LockStoreException("the client has given up its session");
        }
        return answer;
    }

    /** A batch that is given up may leave something behind, for the next one to carry out. */
    @LockRule({"2.2", "3.1"})
    @Needs(Capability.LEASED_PER_CLAIM)
    default void rule31_aBatchWithALostClaimChangesNothingLater() throws Exception {
        kit().conclusively(() -> {
            LockProvider provider = kit().provider();
            List<DrivenClaim> claims = kit().holders(provider, kit().lease(), 3);
            DrivenClaim holder = claims.get(0);
            claims.get(1).release();
            List<Renewal> unused = kit().renewAll(provider, claims);
            Pace.pass(kit().lease().dividedBy(2));
            if (Pace.now() - holder.calledAt() > kit().lease().toNanos()) {
                return false;
            }
            holder.mustRenew("it holds the lock");
            List<DrivenClaim> others = kit().holders(provider, kit().longLease(), 2);
            List<Renewal> unusedToo = kit().renewAll(provider, others);
            return kit().endsNotBefore(
                            holder.name(),
                            holder.calledAt() + kit().lease().toNanos(),
                            "it was renewed; before that it was in a batch with a claim that had gone");
        });
    }
}
