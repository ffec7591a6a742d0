package io.holdfast.lock.tck;

import io.holdfast.lock.LockHolder;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;

/** Many that wait: for many names, for one lock, and in a line. */
interface WaitingCrowdRules extends Rules {

    /** More clients, and more places in a line, than have one digit. */
    int MANY_CLIENTS = 12;

    @LockRule("7.2")
    @Needs(Capability.PUSHED)
    default void rule72_aClientThatWaitsForManyNamesIsWokenForEach() throws Exception {
        LockProvider waiting = kit().provider();
        long begun = Pace.now();
        List<DrivenClaim> holders = kit().holders(kit().provider(), kit().longLease(), CrowdRules.MANY_WAITERS);
        List<Call<Boolean>> waiters = new ArrayList<>();
        for (DrivenClaim holder : holders) {
            DrivenClaim waiter = kit().claim(waiting, holder.name()).lasting().make();
            waiters.add(waiter.waitingForHints(Pace.HANGS));
        }
        // The first waiter has left before the others are woken, which it must not silence.
        mustBeWokenBy(holders, waiters, 0, 1);
        mustBeWokenBy(holders, waiters, 1, CrowdRules.MANY_WAITERS);
        mustHaveComeByWakeUps(begun);
    }

    /** A client may keep the latest of those that wait, and forget the one that waits longest. */
    @LockRule("7.2")
    @Needs(Capability.PUSHED)
    default void rule72_aWaiterIsWokenAlthoughVeryManyOthersOfItsClientWait() throws Exception {
        LockProvider holding = kit().provider();
        LockProvider waiting = kit().provider();
        DrivenClaim holder =
                kit().claim(holding, kit().newName()).outlastingFaults().makeGranted();
        DrivenClaim first =
                kit().claim(waiting, holder.name()).outlastingFaults().make();
        int hints = first.mustWait();
        List<DrivenClaim> others = kit().holders(holding, kit().longLease(), VERY_MANY_WAITERS);
        List<DrivenClaim> waiters = others.stream()
                .map(other -> kit().claim(waiting, other.name()).lasting().make())
                .toList();
        Crowd.inParts(waiters, DrivenClaim::attempt);
        holder.mustRelease(Release.RELEASED, "it holds the lock");

        first.mustBeGrantedByHints(
                hints, "its lock was released, while its client waits for " + VERY_MANY_WAITERS + " others");
        Crowd.inParts(waiters, DrivenClaim::release);
        Crowd.inParts(others, DrivenClaim::release);
    }

    /** A claim may ask also at the end of the holder's lease, of which it was told: whoever comes later shows nothing. */
    private void mustHaveComeByWakeUps(long begun) {
        if (Pace.since(begun).compareTo(kit().longLease()) > 0) {
            throw InconclusiveError.tooSlow("all waiters got their locks, but "
                    + Pace.since(begun).toSeconds() + " s after the grants, whose leases may have ended");
        }
    }

    private static void mustBeWokenBy(List<DrivenClaim> holders, List<Call<Boolean>> waiters, int from, int to) {
        holders.subList(from, to).forEach(holder -> holder.mustRelease(Release.RELEASED, "it holds the lock"));
        for (int i = from; i < to; i++) {
            int place = i + 1;
            Call<Boolean> waiter = waiters.get(i);
            Assertions.assertTrue(
                    Rules.isWokenWithin(Pace.CROWD_WITHIN, waiter),
                    () -> "the provider declares wake-up PUSH, but of " + CrowdRules.MANY_WAITERS
                            + " names that one client waits for, the release of number " + place + " woke no waiter");
        }
    }

    @LockRule("7.2")
    @Needs(Capability.PUSHED)
    default void rule72_eachOfManyWaitersIsWoken() throws Exception {
        String name = kit().newName();
        LockProvider crowded = kit().provider();
        long begun = Pace.now();
        DrivenClaim holder = kit().claim(name).lasting().makeGranted();
        List<Call<Boolean>> waiters = new ArrayList<>();
        for (int i = 0; i < 2 * MANY_CLIENTS; i++) {
            DrivenClaim waiter = kit().claim(i % 2 == 0 ? crowded : kit().provider(), name)
                    .lasting()
                    .make();
            waiters.add(waiter.passingByHints(Pace.HANGS));
        }
        holder.mustRelease(Release.RELEASED, "it holds the lock");
        // The last one of a slow store waits for long, but somebody gets the lock all the time.
        for (long left = waiters.size(); left > 0; left = waiting(waiters)) {
            long before = left;
            if (!Pace.within(Pace.CROWD_WITHIN, () -> waiting(waiters) < before)) {
                waiters.forEach(Call::interrupt);
                throw new AssertionError(unwoken(before + " do not get it"));
            }
        }
        for (int i = 0; i < waiters.size(); i++) {
            int place = i + 1;
            Assertions.assertTrue(waiters.get(i).result(), () -> unwoken("number " + place + " does not get it"));
        }
        mustHaveComeByWakeUps(begun);
    }

    private static long waiting(List<Call<Boolean>> waiters) {
        return waiters.stream().filter(waiter -> !waiter.isDone()).count();
    }

    private static String unwoken(String which) {
        return "the provider declares wake-up PUSH, but of " + 2 * MANY_CLIENTS + " waiters of " + (MANY_CLIENTS + 1)
                + " clients, each of which releases the lock when it has it, " + which;
    }

    /** So many that a store which keeps a line in a bounded place runs out of that. */
    int VERY_MANY_WAITERS = 150;

    @LockRule({"1.5", "1.6"})
    default void rule16_aClaimBehindVeryManyOthersIsRefusedAsTheFirst() {
        LockProvider crowded = kit().provider();
        // So many calls may take longer than the usual long lease.
        DrivenClaim holder = kit().claim(kit().newName()).outlastingFaults().makeGranted();
        List<DrivenClaim> waiters = Stream.generate(
                        () -> kit().claim(crowded, holder.name()).lasting().make())
                .limit(VERY_MANY_WAITERS)
                .toList();
        waiters.forEach(waiter -> waiter.mustBeContended("the lock is held"));
        // A store that looks at some of them may not see the holder any more.
        String because = "the lock is held, and " + VERY_MANY_WAITERS + " claims wait for it";
        waiters.get(0).mustBeContended(because);
        waiters.get(VERY_MANY_WAITERS - 1).mustBeContended(because);
        Assertions.assertEquals(
                Optional.of(holder.ownerId()),
                crowded.holder(holder.name()).map(LockHolder::owner),
                "the owner that is shown as the holder of a lock for which " + VERY_MANY_WAITERS + " claims wait");
        waiters.forEach(waiter -> waiter.mustRelease(Release.NOT_HELD, "it only waited"));
        holder.mustRelease(Release.RELEASED, "it holds the lock");

        kit().claim(holder.name())
                .lasting()
                .make()
                .takeOver(Pace.SLACK, "all who waited have left, and so has the holder");
    }

    @LockRule("7.5")
    @Needs(Capability.ORDERED)
    default void rule75_aClaimBehindVeryManyOthersKeepsItsPlace() {
        kit().reliesOnPace();
        LockProvider crowded = kit().provider();
        DrivenClaim holder = kit().claim(kit().newName()).outlastingFaults().makeGranted();
        List<DrivenClaim> line = Stream.generate(
                        () -> kit().claim(crowded, holder.name()).lasting().make())
                .limit(VERY_MANY_WAITERS)
                .toList();
        List<DrivenClaim> before = line.subList(0, VERY_MANY_WAITERS - 1);
        before.forEach(waiter -> waiter.mustBeContended("the lock is held"));
        DrivenClaim last = line.get(VERY_MANY_WAITERS - 1);
        last.mustBeContended("the lock is held");
        Crowd.inParts(before, DrivenClaim::release);
        DrivenClaim newcomer = kit().claim(holder.name()).lasting().make();
        newcomer.mustBeContended("the lock is held");
        last.mustNotBeDue();
        Reservation reservation = kit().reservation();
        holder.mustRelease(Release.RELEASED, "it holds the lock");
        reservation.asks(() ->
                newcomer.mustBeContended("the provider declares ordering FIFO, and a claim that came before it, behind "
                        + (VERY_MANY_WAITERS - 1) + " others, still waits"));
        reservation.asks(() -> last.mustBeGranted("all those before it have left"));
    }

    @LockRule("7.5")
    @Needs(Capability.ORDERED)
    default void rule75_aLongLineIsServedInOrder() {
        // A store that waits for its first waiter waits for some time only, so a machine that
        // stands still changes the order.
        kit().reliesOnPace();
        String name = kit().newName();
        List<LockProvider> clients = Stream.generate(kit()::provider).limit(3).toList();
        DrivenClaim holder = kit().claim(name).lasting().makeGranted();
        WaitingLine line = new WaitingLine();
        for (int i = 0; i < CrowdRules.MANY_WAITERS; i++) {
            line.add(
                    kit().claim(clients.get(i % clients.size()), name).lasting().make());
        }
        // Far behind: those who leave have no place any more, and nobody waits for them later.
        for (int place : new int[] {20, 16, 11, 10}) {
            line.remove(place).mustRelease(Release.NOT_HELD, "it only waited");
        }
        for (int first = 0; first < line.length(); first++) {
            line.askAgain(first);
            Reservation reservation = kit().reservation();
            holder.mustRelease(Release.RELEASED, "it holds the lock");
            mustLetNobodyPass(line, first, reservation);
            holder = line.at(first);
            DrivenClaim next = holder;
            String because = "it came as number " + (first + 1) + " of " + line.length()
                    + ", those before it have had the lock, and nobody holds it";
            reservation.asks(() -> next.mustBeGranted(because));
        }
        holder.release();
    }

    /**
     * The last of a line attempts, one in the middle and the second, before the first one does; of a slow store only the last.
     */
    private static void mustLetNobodyPass(WaitingLine line, int first, Reservation reservation) {
        int last = line.length() - 1;
        for (int later : List.of(last, (first + line.length()) / 2, first + 1)) {
            if (later > first && later <= last && (later == last || reservation.leavesTime())) {
                reservation.asks(() -> line.mustWait(
                        later,
                        "the provider declares ordering FIFO, it came as number " + (later + 1)
                                + " of those that wait, and number " + (first + 1) + " still waits"));
            }
        }
    }
}
