package io.holdfast.lock.tck;

import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Assertions;

/** Chapter 7, waiting, as far as it is the store's. */
interface WaitingRules extends Rules {

    /** How long a waiting bid may take to hear of a release. */
    Duration TOLD_WITHIN = Duration.ofSeconds(2);

    @LockRule("7.2")
    @Needs(Capability.PUSHED)
    default void rule72_aWaitingBidIsToldOfTheRelease() throws InterruptedException {
        LockProvider waiting = kit().provider();
        LockProvider[] holding = {kit().provider(), waiting};
        for (int i = 0; i < 20; i++) {
            String name = kit().newName();
            DrivenClaim holder =
                    kit().bid(holding[i % 2], name).leasing(kit().longLease()).get();
            DrivenClaim waiter =
                    kit().bid(waiting, name).leasing(kit().longLease()).enter();
            if (i % 4 < 2) {
                waiter.mustWait();
            }
            // Else the release follows the answer at once, and so may come before the store listens.
            CountDownLatch refused = new CountDownLatch(1);
            Call<Boolean> told = Call.start(() -> waiter.comesWhenTold(TOLD_WITHIN, refused));
            refused.await();
            holder.mustRelease(Release.RELEASED, "it holds the lock");
            Assertions.assertTrue(
                    told.result(),
                    "the provider declares wake-up PUSH, but a bid that comes when it is told, and at no other time, does not get a"
                            + " lock that was released");
            waiter.release();
        }
    }

    @LockRule("7.2")
    @Needs({Capability.PUSHED, Capability.UNORDERED})
    default void rule72_aBidThatSomebodyForestalledIsToldOfTheNextRelease() {
        String name = kit().newName();
        LockProvider others = kit().provider();
        DrivenClaim holder = kit().bid(others, name).leasing(kit().longLease()).get();
        DrivenClaim waiter = kit().bid(name).leasing(kit().longLease()).enter();
        for (int i = 0; i < 3; i++) {
            int before = waiter.mustWait();
            holder.mustRelease(Release.RELEASED, "it holds the lock");
            mustBeTold(waiter, before, "release number " + (i + 1));
            holder = kit().bid(others, name).leasing(kit().longLease()).once().enter();
            if (!holder.isGranted()) {
                // Where the lock waits for whom it has told, nobody forestalls anybody.
                break;
            }
        }
        holder.release();
        waiter.takeOver(Duration.ZERO, "it waits alone, and the holder has left");
    }

    @LockRule("7.2")
    @Needs(Capability.PUSHED)
    default void rule72_aBidThatLeavesSilencesNoOther() {
        LockProvider waiting = kit().provider();
        LockProvider closing = kit().provider();
        List<DrivenClaim> holders = kit().holders(kit().provider(), kit().longLease(), 3);
        String first = holders.get(0).name();
        DrivenClaim gone = kit().bid(waiting, first).leasing(kit().longLease()).enter();
        DrivenClaim closed =
                kit().bid(closing, first).leasing(kit().longLease()).enter();
        List<DrivenClaim> waiters = holders.stream()
                .map(holder -> kit().bid(waiting, holder.name())
                        .leasing(kit().longLease())
                        .enter())
                .toList();
        gone.mustWait();
        closed.mustWait();
        int[] heard = waiters.stream().mapToInt(DrivenClaim::mustWait).toArray();
        gone.mustRelease(Release.NOT_HELD, "a contended claim holds nothing");
        closed.mustRelease(Release.NOT_HELD, "a contended claim holds nothing");
        closing.close();

        for (int i = 0; i < heard.length; i++) {
            DrivenClaim waiter = waiters.get(i);
            if (waiter.hints() > heard[i]) {
                // A bid may be told when one before it leaves, and then has to come to hear more.
                heard[i] = waiter.mustWait();
            }
            holders.get(i).mustRelease(Release.RELEASED, "it holds the lock");
            mustBeTold(
                    waiter,
                    heard[i],
                    "the release of its lock, while other bids for it and for other locks came and went");
            waiter.mustBeGranted("it waits alone, and the holder has left");
            waiter.release();
        }
    }

    @LockRule("7.2")
    @Needs(Capability.PUSHED)
    default void rule72_aWakeUpDoesNotEndWithTheBidThatItWoke() {
        LockProvider waiting = kit().provider();
        for (int i = 0; i < 5; i++) {
            String name = kit().newName();
            DrivenClaim holder = kit().bid(name).leasing(kit().longLease()).get();
            DrivenClaim first =
                    kit().bid(waiting, name).leasing(kit().longLease()).enter();
            DrivenClaim second =
                    kit().bid(waiting, name).leasing(kit().longLease()).enter();
            first.mustWait();
            int hintsOfSecond = second.mustWait();
            int hintsOfFirst = first.hints();
            holder.mustRelease(Release.RELEASED, "it holds the lock");
            mustBeTold(first, hintsOfFirst, "the release, being the first that came");
            first.mustRelease(Release.NOT_HELD, "it has not bid again");

            mustBeTold(second, hintsOfSecond, "a release that the bid before it made no use of");
            second.mustBeGranted("it waits alone, and the holder has left");
            second.release();
        }
    }

    private static void mustBeTold(DrivenClaim waiter, int hintsBefore, String what) {
        Assertions.assertTrue(
                Pace.within(TOLD_WITHIN, () -> waiter.hints() > hintsBefore),
                () -> "the provider declares wake-up PUSH, but a waiting bid was not told of " + what);
    }

    @LockRule("7.3")
    default void rule73_aBidIsNotSentAwayForLongerThanTheHoldersLease() throws Exception {
        kit().undisturbed(() -> {
            String name = kit().newName();
            kit().bid(name).get();

            kit().bid(name)
                    .enter()
                    .mustBeContended("the lock is held")
                    .retryAfter()
                    .ifPresent(time -> {
                        Assertions.assertFalse(time.isNegative(), () -> "a time to wait is not negative: " + time);
                        Assertions.assertTrue(
                                time.compareTo(kit().longestLife()) <= 0,
                                () -> "the holder's lease ends within " + kit().longestLife()
                                        + ", but the bid was sent away for " + time);
                    });
        });
    }

    @LockRule("7.5")
    @Needs(Capability.ORDERED)
    default void rule75_waitingBidsAreServedInTheOrderInWhichTheyCame() {
        String name = kit().newName();
        DrivenClaim holder = kit().bid(name).leasing(kit().longLease()).get();
        DrivenClaim[] line = new DrivenClaim[3];
        for (int i = 0; i < line.length; i++) {
            line[i] = kit().bid(name).leasing(kit().longLease()).enter();
            line[i].mustBeContended("the lock is held");
        }
        for (int first = 0; first < line.length; first++) {
            holder.mustRelease(Release.RELEASED, "it holds the lock");
            for (int later = line.length - 1; later > first; later--) {
                line[later].mustBeContended("the provider declares ordering FIFO, and another bid came before");
            }
            DrivenClaim passing = kit().bid(name).once().enter();
            passing.mustBeContended("the provider declares ordering FIFO, and a bid waits");
            passing.release();
            line[first].mustBeGranted("it is the first in line and nobody holds the lock");
            holder = line[first];
        }
    }

    @LockRule("7.5")
    @Needs(Capability.ORDERED)
    default void rule75_aBidThatLeavesTheLineChangesTheOrderOfNoOther() {
        String name = kit().newName();
        DrivenClaim holder = kit().bid(name).leasing(kit().longLease()).get();
        DrivenClaim[] line = new DrivenClaim[4];
        for (int i = 0; i < line.length; i++) {
            line[i] = kit().bid(name).leasing(kit().longLease()).enter();
            line[i].mustBeContended("the lock is held");
        }
        line[1].mustRelease(Release.NOT_HELD, "a contended claim holds nothing");
        line[3].mustBeContended("the lock is held");
        holder.mustRelease(Release.RELEASED, "it holds the lock");

        line[3].mustBeContended("two bids came before");
        line[2].mustBeContended("a bid came before");
        line[0].mustBeGranted("it is the first in line and nobody holds the lock");
        line[0].mustRelease(Release.RELEASED, "it holds the lock");
        line[3].mustBeContended("a bid came before");
        line[2].mustBeGranted("it is the first in line and nobody holds the lock");
        line[2].mustRelease(Release.RELEASED, "it holds the lock");
        line[3].mustBeGranted("it is the last in line and nobody holds the lock");
    }

    @LockRule({"2.1", "7.5"})
    @Needs({Capability.ORDERED, Capability.LEASED_PER_CLAIM})
    default void rule75_theOrderIsKeptAlsoWhenALeaseEnds() {
        String name = kit().newName();
        DrivenClaim dead = kit().bid(name).get();
        DrivenClaim first = kit().bid(name).leasing(kit().longLease()).enter();
        first.mustBeContended("the lock is held");
        DrivenClaim second = kit().bid(name).leasing(kit().longLease()).enter();
        second.mustBeContended("the lock is held");
        dead.abandon();
        dead.outlive(kit().longestLife().plus(Pace.SLACK));

        second.mustBeContended("the provider declares ordering FIFO, and another bid came before");
        first.mustBeGranted("it is the first in line, and the holder's lease has ended");
    }

    @LockRule("7.5")
    @Needs(Capability.ORDERED)
    default void rule75_aBidderThatDiedInLineDoesNotBlockTheOthers() {
        String name = kit().newName();
        DrivenClaim holder = kit().bid(name).leasing(kit().longLease()).get();
        DrivenClaim dead = kit().bid(name).enter();
        dead.mustBeContended("the lock is held");
        dead.abandon();
        DrivenClaim next = kit().bid(name).enter();
        next.mustBeContended("the lock is held");
        holder.mustRelease(Release.RELEASED, "it holds the lock");

        next.takeOver(Kit.PATIENCE_WITH_DEAD_BIDDERS, "the one before it in line has died");
    }

    @LockRule("7.4")
    default void rule74_aCallKeepsAnInterruptForItsCaller() throws InterruptedException {
        String name = kit().newName();
        LockProvider provider = kit().provider();
        kit().bid(provider, name).leasing(kit().longLease()).get();
        for (int i = 0; i < 5; i++) {
            DrivenClaim bidder =
                    kit().bid(provider, name).leasing(kit().longLease()).enter();
            CountDownLatch bidding = new CountDownLatch(1);
            Call<Boolean> caller = Call.start(() -> bidder.noticesAnInterruptOf(TOLD_WITHIN, bidding));
            bidding.await();
            Pace.pass(Duration.ofMillis(10));
            caller.interrupt();
            Assertions.assertTrue(caller.result(), "a call of the provider must not swallow its caller's interrupt");
        }
        kit().bid(provider, name).once().enter().mustBeContended("only callers of others were interrupted");
    }

    @LockRule({"7.4", "7.6"})
    default void rule76_aBidThatWasWithdrawnNeverBecomesAHold() {
        String name = kit().newName();
        DrivenClaim holder = kit().bid(name).leasing(kit().longLease()).get();
        DrivenClaim gone = kit().bid(name).leasing(kit().longLease()).enter();
        gone.mustBeContended("the lock is held");
        gone.mustRelease(Release.NOT_HELD, "a contended claim holds nothing");
        holder.mustRelease(Release.RELEASED, "it holds the lock");

        gone.mustBeLost("it was withdrawn before the lock was free");
        kit().bid(name).once().enter().mustBeGranted("the only bid was withdrawn");
        gone.mustRelease(Release.NOT_HELD, "it was withdrawn");
    }
}
