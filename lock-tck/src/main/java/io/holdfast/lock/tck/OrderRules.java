package io.holdfast.lock.tck;

import io.holdfast.lock.spi.ClaimRequest.Claimant;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;

/** The order in which waiting claims are granted the lock, where the store keeps one. */
interface OrderRules extends Rules {

    @LockRule("7.5")
    @Needs(Capability.ORDERED)
    default void rule75_waitingClaimsAreServedInOrder() {
        // A store that waits for its first waiter waits for some time only.
        kit().reliesOnPace();
        String name = kit().newName();
        DrivenClaim holder = kit().claim(name).lasting().makeGranted();
        DrivenClaim[] queue = new DrivenClaim[3];
        for (int i = 0; i < queue.length; i++) {
            queue[i] = kit().claim(name).lasting().make();
            queue[i].mustBeContended("the lock is held");
        }
        for (DrivenClaim first : queue) {
            DrivenClaim passing = kit().visitor(name);
            Reservation reservation = kit().reservation();
            holder.mustRelease(Release.RELEASED, "it holds the lock");
            for (int later = queue.length - 1; queue[later] != first; later--) {
                DrivenClaim behind = queue[later];
                reservation.asks(() ->
                        behind.mustBeContended("the provider declares ordering FIFO, and another claim came before"));
            }
            reservation.asks(() -> passing.mustBeContended("the provider declares ordering FIFO, and a claim waits"));
            passing.release();
            reservation.asks(() -> first.mustBeGranted("it is the first in the queue, and nobody holds the lock"));
            holder = first;
        }
    }

    @LockRule("7.5")
    @Needs(Capability.ORDERED)
    default void rule75_aWithdrawnClaimChangesTheOrderOfNoOther() {
        kit().reliesOnPace();
        String name = kit().newName();
        DrivenClaim holder = kit().claim(name).lasting().makeGranted();
        DrivenClaim[] queue = new DrivenClaim[4];
        for (int i = 0; i < queue.length; i++) {
            queue[i] = kit().claim(name).lasting().make();
            queue[i].mustBeContended("the lock is held");
        }
        queue[1].mustRelease(Release.NOT_HELD, "a contended claim holds nothing");
        queue[3].mustBeContended("the lock is held");
        Reservation forFirst = kit().reservation();
        holder.mustRelease(Release.RELEASED, "it holds the lock");

        forFirst.asks(() -> queue[3].mustBeContended("two claims came before"));
        forFirst.asks(() -> queue[2].mustBeContended("a claim came before"));
        forFirst.asks(() -> queue[0].mustBeGranted("it is the first in the queue, and nobody holds the lock"));
        Reservation forSecond = kit().reservation();
        queue[0].mustRelease(Release.RELEASED, "it holds the lock");
        forSecond.asks(() -> queue[3].mustBeContended("a claim came before"));
        forSecond.asks(() -> queue[2].mustBeGranted("it is the first in the queue, and nobody holds the lock"));
        queue[2].mustRelease(Release.RELEASED, "it holds the lock");
        queue[3].mustBeGranted("it is the last in the queue, and nobody holds the lock");
    }

    @LockRule({"2.1", "7.5"})
    @Needs({Capability.ORDERED, Capability.LEASED_PER_CLAIM})
    default void rule75_theOrderIsKeptWhenALeaseEnds() {
        String name = kit().newName();
        DrivenClaim dead = kit().claim(name).makeGranted();
        DrivenClaim first = kit().claim(name).lasting().make();
        first.mustBeContended("the lock is held");
        DrivenClaim second = kit().claim(name).lasting().make();
        second.mustBeContended("the lock is held");
        DrivenClaim third = kit().claim(name).lasting().make();
        third.mustBeContended("the lock is held");
        dead.abandon();
        // The first asks all the time: a store need not keep the lock free for long.
        boolean granted = Pace.within(kit().longestLife(), () -> {
            second.mustBeContended("the provider declares ordering FIFO, and another claim came before");
            return first.isGranted();
        });

        Assertions.assertTrue(
                granted, "the first in the queue must be granted the lock when the holder's lease has ended");
        DrivenClaim newcomer = kit().tryingOnce(kit().provider(), name);
        Reservation reservation = kit().reservation();
        first.mustRelease(Release.RELEASED, "it holds the lock");
        reservation.asks(() -> newcomer.mustBeContended("two claims wait, which came before the end of a lease"));
        newcomer.release();
        reservation.asks(
                () -> third.mustBeContended("the provider declares ordering FIFO, and another claim came before"));
        reservation.asks(() -> second.mustBeGranted("it is the first in the queue, and nobody holds the lock"));
    }

    @LockRule("7.5")
    @Needs(Capability.ORDERED)
    default void rule75_aDeadWaiterDoesNotBlockTheOthers() {
        String name = kit().newName();
        DrivenClaim holder = kit().claim(name).lasting().makeGranted();
        DrivenClaim dead = kit().claim(name).make();
        dead.mustBeContended("the lock is held");
        dead.abandon();
        DrivenClaim next = kit().claim(name).make();
        next.mustBeContended("the lock is held");
        holder.mustRelease(Release.RELEASED, "it holds the lock");

        next.takeOver(Pace.DEAD_WAITERS_GO_WITHIN, "the waiter before it has died");
    }

    @LockRule("7.5")
    @Needs(Capability.ORDERED)
    default void rule75_theOrderBehindADeadWaiterIsKept() {
        kit().reliesOnPace();
        DrivenClaim holder = kit().claim(kit().newName()).lasting().makeGranted();
        DrivenClaim dead = kit().claim(holder.name()).make();
        dead.mustBeContended("the lock is held");
        dead.abandon();
        DrivenClaim first = kit().claim(holder.name()).lasting().make();
        first.mustBeContended("the lock is held");
        DrivenClaim second = kit().claim(holder.name()).lasting().make();
        second.mustBeContended("the lock is held");
        DrivenClaim newcomer = kit().tryingOnce(kit().provider(), holder.name());
        holder.mustRelease(Release.RELEASED, "it holds the lock");
        boolean granted = Pace.within(Pace.DEAD_WAITERS_GO_WITHIN, () -> {
            second.mustBeContended(
                    "the provider declares ordering FIFO, and another claim came before; only the first of all has died");
            return first.isGranted();
        });

        Assertions.assertTrue(
                granted, "the first claim behind a dead one must be granted the lock when the dead one does not come");
        Reservation reservation = kit().reservation();
        first.mustRelease(Release.RELEASED, "it holds the lock");
        reservation.asks(() -> newcomer.mustBeContended("a claim waits; only the one before it has died"));
        newcomer.release();
        reservation.asks(() -> second.mustBeGranted("it is the first in the queue, and nobody holds the lock"));
    }

    @LockRule({"2.1", "7.5"})
    @Needs({Capability.ORDERED, Capability.LEASED_PER_CLAIM})
    default void rule75_aHolderThatHadWaitedLeavesNoPlaceBehindWhenItDies() {
        DrivenClaim holder = kit().claim(kit().newName()).lasting().makeGranted();
        DrivenClaim first = kit().claim(holder.name()).make();
        first.mustBeContended("the lock is held");
        DrivenClaim second = kit().claim(holder.name()).make();
        second.mustBeContended("the lock is held");
        DrivenClaim third = kit().tryingOnce(kit().provider(), holder.name());
        holder.mustRelease(Release.RELEASED, "it holds the lock");
        // One is granted the lock after a release, which may have told it, and the other after the end of a lease.
        first.takeOver(Pace.SLACK, "the holder has released the lock");
        first.abandon();
        second.takeOver(
                kit().longestLife(), "its holder has died: it had waited before its grant, and does not wait any more");
        second.abandon();
        second.outlive(kit().longestLife());

        third.mustBeGranted("its holder has died: it had waited before its grant, and does not wait any more");
    }

    @LockRule("7.5")
    @Needs(Capability.ORDERED)
    default void rule75_aClientThatGaveUpAndComesAgainComesLast() {
        kit().reliesOnPace();
        String name = kit().newName();
        LockProvider leaving = kit().provider();
        DrivenClaim holder = kit().claim(name).lasting().makeGranted();
        DrivenClaim gaveUp = kit().claim(leaving, name).owned().lasting().make();
        gaveUp.mustBeContended("the lock is held");
        DrivenClaim patient = kit().claim(name).lasting().make();
        patient.mustBeContended("the lock is held");
        gaveUp.mustRelease(Release.NOT_HELD, "a contended claim holds nothing");
        DrivenClaim again =
                kit().claim(leaving, name).byOwnerOf(gaveUp).lasting().make();
        again.mustBeContended("the lock is held");
        Reservation reservation = kit().reservation();
        holder.mustRelease(Release.RELEASED, "it holds the lock");

        reservation.asks(() -> again.mustBeContended(
                "another claim waits since before; a former claim of this client had left the queue"));
        reservation.asks(() -> patient.mustBeGranted("it is the first in the queue, and nobody holds the lock"));
    }

    @LockRule("7.5")
    @Needs(Capability.ORDERED)
    @Lengthy
    default void rule75_aPlaceIsKeptForAsLongAsItsClaimIsNotToldToAskAgain() {
        kit().reliesOnPace();
        String name = kit().newName();
        DrivenClaim holder = kit().claim(name).lasting().makeGranted();
        List<DrivenClaim> queue = Stream.generate(
                        () -> kit().claim(name).lasting().make())
                .limit(2)
                .toList();
        askAsTold(queue);
        Reservation reservation = kit().reservation();
        holder.mustRelease(Release.RELEASED, "it holds the lock");

        reservation.asks(() ->
                queue.get(1).mustBeContended("the provider declares ordering FIFO, and another claim came before"));
        reservation.asks(() -> queue.get(0).mustBeGranted("it is the first in the queue, and nobody holds the lock"));
    }

    /** The lease that a claim asks for begins with its grant, and says nothing of its wait. */
    @LockRule({"2.6", "7.5"})
    @Needs({Capability.ORDERED, Capability.LEASED_PER_CLAIM})
    @Lengthy
    default void rule75_aClaimWithAShortLeaseKeepsItsPlace() {
        kit().reliesOnPace();
        DrivenClaim holder = kit().claim(kit().newName()).lasting().makeGranted();
        // Little time is left after the wait, too little to connect in.
        LockProvider later = Trouble.connected(kit());
        DrivenClaim waiter = kit().claim(holder.name()).make();
        waiter.mustBeContended("the lock is held");
        waiter.waitLong();
        DrivenClaim newcomer = kit().claim(later, holder.name()).lasting().make();
        newcomer.mustBeContended("the lock is held");
        waiter.mustNotBeDue();
        Reservation reservation = kit().reservation();
        holder.mustRelease(Release.RELEASED, "it holds the lock");

        reservation.asks(
                () -> newcomer.mustBeContended("a claim came before it, which was told to ask again only later"));
        reservation.asks(() -> waiter.mustBeGranted("it is the first in the queue, and nobody holds the lock"));
    }

    @LockRule({"5.1", "7.5"})
    @Needs(Capability.ORDERED)
    default void rule75_aClaimThatLeavesTakesNoPlaceWhoseIdBeginsAlike() {
        kit().reliesOnPace();
        DrivenClaim holder = kit().claim(kit().newName()).lasting().makeGranted();
        String id = UUID.randomUUID().toString().substring(0, 30);
        List<DrivenClaim> queue = List.of(
                kit().claim(holder.name()).lasting().make(id + "0"),
                kit().claim(holder.name()).lasting().make(id));
        queue.forEach(claim -> claim.mustBeContended("the lock is held"));
        queue.get(1).mustRelease(Release.NOT_HELD, "a contended claim holds nothing");
        DrivenClaim newcomer = kit().tryingOnce(kit().provider(), holder.name());
        Reservation reservation = kit().reservation();
        holder.mustRelease(Release.RELEASED, "it holds the lock");

        reservation.asks(
                () -> newcomer.mustBeContended("a claim waits; one has left whose id is the beginning of its id"));
        newcomer.release();
        reservation.asks(() -> queue.get(0).mustBeGranted("it is the first in the queue, and nobody holds the lock"));
    }

    @LockRule({"5.5", "7.5"})
    @Needs(Capability.ORDERED)
    default void rule75_theCloseOfAnotherClientTakesNoPlace() {
        kit().reliesOnPace();
        DrivenClaim holder = kit().claim(kit().newName()).lasting().makeGranted();
        LockProvider closing = kit().provider();
        Claimant process = new Claimant("host", ProcessHandle.current().pid(), "thread");
        DrivenClaim leaving =
                kit().claim(closing, holder.name()).from(process).lasting().make();
        leaving.mustBeContended("the lock is held");
        DrivenClaim waiter = kit().claim(holder.name()).from(process).lasting().make();
        waiter.mustBeContended("the lock is held");
        DrivenClaim newcomer = kit().tryingOnce(kit().provider(), holder.name());
        leaving.release();
        closing.close();
        Reservation reservation = kit().reservation();
        holder.mustRelease(Release.RELEASED, "it holds the lock");

        reservation.asks(
                () -> newcomer.mustBeContended("a claim waits; only another client of its process was closed"));
        newcomer.release();
        reservation.asks(() -> waiter.mustBeGranted("it is the first in the queue, and nobody holds the lock"));
    }

    /**
     * Finds the lock held for a long time, and asks again no sooner than the answers say; then in the other order, so that a line
     * which was forgotten shows.
     */
    private static void askAsTold(List<DrivenClaim> queue) {
        long begun = Pace.now();
        List<DrivenClaim> asking = queue;
        List<DrivenClaim> lastFirst = new ArrayList<>(queue);
        Collections.reverse(lastFirst);
        while (Pace.since(begun).compareTo(Pace.LONG_WAIT) < 0) {
            Duration next = Pace.LONG_WAIT.minus(Pace.since(begun));
            for (DrivenClaim claim : asking) {
                claim.mustBeContended("the lock is held");
                Duration told = claim.asksAgainAfter();
                next = told.compareTo(next) < 0 ? told : next;
            }
            asking = lastFirst;
            Pace.pass(next);
        }
    }
}
