package io.holdfast.lock.tck;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.UnsupportedCapabilityException;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;

/** Many at once: locks of one client, names that it waits for, waiters, clients. */
interface CrowdRules extends Rules {

    /** More locks than most tables of a fixed size that a client may keep; a store that is slow gets a part of them. */
    int MANY_LOCKS = 1_100;

    /** However slow the store is. */
    int SOME_LOCKS = 32;

    Duration GRANTING = Duration.ofSeconds(2);

    /** More waiters than any pool of connections or threads that a client may have by default. */
    int MANY_WAITERS = 24;

    /** More clients, and more places in a line, than have one digit. */
    int MANY_CLIENTS = 12;

    @LockRule({"1.1", "1.8"})
    default void rule11_manyLocksOfOneClientAreAllHeld() {
        LockProvider provider = kit().provider();
        LockProvider observer = kit().provider();
        // Names that the kit does not inspect at the end: so many would take longer than the rule itself.
        List<DrivenClaim> held = new ArrayList<>();
        long start = Pace.now();
        while (held.size() < SOME_LOCKS
                || (held.size() < MANY_LOCKS && Pace.since(start).compareTo(GRANTING) < 0)) {
            held.add(kit().claim(provider, "tck-" + UUID.randomUUID())
                    .outlastingFaults()
                    .makeGranted());
        }
        Crowd.inParts(held, holder -> {
            String because = whyHeld(held, holder);
            // The same client: it may know too little of its own locks.
            kit().visitor(provider, holder.name()).mustBeContended(because);
            holder.mustRenew(because);
        });
        kit().visitor(observer, held.get(0).name()).mustBeContended(whyHeld(held, held.get(0)));
        Crowd.inParts(held, holder -> {
            holder.mustRelease(Release.RELEASED, whyHeld(held, holder));
            Assertions.assertEquals(Optional.empty(), observer.holder(holder.name()), "the holder of a released lock");
        });
    }

    @LockRule({"6.1", "6.7"})
    @Needs(value = Capability.FENCED, hooks = Hook.DISPOSABLE)
    default void rule67_tokensAreRaisedForEachOfManyNames() {
        LockProvider provider = kit().provider();
        long above = raisedMuch(provider);
        // A store may keep a counter for each of many groups of names.
        long start = Pace.now();
        List<Integer> names = IntStream.rangeClosed(1, MANY_LOCKS).boxed().toList();
        Crowd.inParts(names, number -> {
            if (number <= SOME_LOCKS || Pace.since(start).compareTo(GRANTING) < 0) {
                Attempt.Granted granted =
                        kit().tryingOnce(provider, "tck-" + UUID.randomUUID()).mustPass("nobody holds the lock");
                Tokens.mustBeNewer(
                        Tokens.of(granted),
                        above,
                        "the tokens of all names were raised to that; this name is number " + number);
            }
        });
    }

    /** The number that the tokens were raised to; 0 if the provider refuses it. */
    private long raisedMuch(LockProvider provider) {
        try {
            // A store that has granted nothing yet may not know its clock's part in the tokens.
            kit().tryingOnce(provider, "tck-" + UUID.randomUUID()).mustPass("nobody holds the lock");
            long above = provider.highestToken() + FencingRules.MUCH;
            provider.raiseTokens(above);
            return above;
        } catch (UnsupportedCapabilityException | LockConfigurationException refused) {
            Kit.mustGiveAReason(refused);
            return 0;
        }
    }

    private static String whyHeld(List<DrivenClaim> held, DrivenClaim holder) {
        return "its client holds " + held.size() + " locks, and was granted this one as number "
                + (held.indexOf(holder) + 1);
    }

    @LockRule({"1.2", "9.1"})
    default void rule91_manyWaitingClaimsLeaveRoomForOtherCalls() {
        LockProvider provider = kit().provider();
        List<DrivenClaim> holders = kit().holders(provider, kit().longLease(), 3);
        List<DrivenClaim> waiters = new ArrayList<>();
        for (int i = 0; i < MANY_WAITERS; i++) {
            DrivenClaim waiter =
                    kit().claim(provider, holders.get(i % 3).name()).lasting().make();
            String because = "the lock is held, and " + i + " claims of its client wait already";
            answered(because, () -> waiter.mustBeContended(because));
            waiters.add(waiter);
        }
        String because = MANY_WAITERS + " claims of its client wait";
        answered(because, () -> holders.get(1).mustRenew("it holds the lock, and " + because));
        answered(
                because,
                () -> kit().claim(provider, kit().newName())
                        .make()
                        .mustBeGranted("nobody holds the lock, and " + because));
        answered(because, () -> {
            waiters.forEach(DrivenClaim::release);
            return holders.get(0).release();
        });
    }

    /** A store that stands still does so once. */
    int TRIES = 3;

    /** Makes a call that must be answered, however many claims wait. */
    private static void answered(String because, Callable<?> call) {
        Call<Object> answer = Call.start(() -> answer(because, call));
        if (!Pace.within(Pace.CROWD_WITHIN, answer::isDone)) {
            throw new AssertionError("a call must be answered, although " + because + ", but it hangs");
        }
        try {
            answer.result();
        } catch (AssertionError failed) {
            throw failed.getCause() instanceof AssertionError assertion ? assertion : failed;
        }
    }

    private static Object answer(String because, Callable<?> call) throws Exception {
        for (int i = 1; ; i++) {
            try {
                return call.call();
            } catch (LockStoreException failure) {
                if (i == TRIES) {
                    AssertionError unanswered = new AssertionError("a call must be answered, although " + because
                            + ", but it failed " + TRIES + " times: " + failure);
                    // Not as the cause: no stall explains all of them.
                    unanswered.addSuppressed(failure);
                    throw unanswered;
                }
            }
        }
    }

    /** How often a crowd comes: what two of its calls do to each other, they do in some of the rounds. */
    Duration COMING = Duration.ofMillis(1500);

    @LockRule({"1.1", "1.5", "5.4"})
    default void rule54_claimsThatComeAtTheSameMomentAllLeave() {
        String name = kit().newName();
        LockProvider crowded = kit().provider();
        LockProvider third = kit().provider();
        long start = Pace.now();
        for (int round = 0; Pace.since(start).compareTo(COMING) < 0; round++) {
            boolean waits = round % 2 == 0;
            List<DrivenClaim> claims = Stream.generate(
                            () -> kit().claim(crowded, name).lasting())
                    .map(spec -> waits ? spec.make() : spec.once().make())
                    .limit(AT_ONCE)
                    .toList();
            CyclicBarrier together = new CyclicBarrier(AT_ONCE);
            AtomicInteger granted = new AtomicInteger();
            Crowd.together(claims.stream().map(claim -> () -> {
                together.await();
                if (claim.isGranted()) {
                    granted.incrementAndGet();
                }
            }));
            Assertions.assertTrue(
                    granted.get() <= 1,
                    () -> granted + " of " + AT_ONCE
                            + " claims that attempted at the same moment were granted the lock");
            claims.forEach(DrivenClaim::release);
            DrivenClaim next = kit().tryingOnce(third, name);
            next.takeOver(
                    Pace.SLACK,
                    "the " + AT_ONCE + " claims of one client that attempted at the same moment were all released");
            next.mustRelease(Release.RELEASED, "it holds the lock");
        }
    }

    /** Claims that attempt at the same moment. */
    int AT_ONCE = 8;

    @LockRule("7.2")
    @Needs(Capability.PUSHED)
    default void rule72_aClientThatWaitsForManyNamesIsWokenForEach() throws Exception {
        LockProvider waiting = kit().provider();
        List<DrivenClaim> holders = kit().holders(kit().provider(), kit().longLease(), MANY_WAITERS);
        List<Call<Boolean>> waiters = new ArrayList<>();
        for (DrivenClaim holder : holders) {
            DrivenClaim waiter = kit().claim(waiting, holder.name()).lasting().make();
            waiters.add(waiter.waitingForHints(Pace.HANGS));
        }
        // The first waiter has left before the others are woken, which it must not silence.
        mustBeWokenBy(holders, waiters, 0, 1);
        mustBeWokenBy(holders, waiters, 1, MANY_WAITERS);
    }

    private static void mustBeWokenBy(List<DrivenClaim> holders, List<Call<Boolean>> waiters, int from, int to) {
        holders.subList(from, to).forEach(holder -> holder.mustRelease(Release.RELEASED, "it holds the lock"));
        for (int i = from; i < to; i++) {
            int place = i + 1;
            Call<Boolean> waiter = waiters.get(i);
            Assertions.assertTrue(
                    Pace.within(Pace.CROWD_WITHIN, waiter::isDone) && waiter.result(),
                    () -> "the provider declares wake-up PUSH, but of " + MANY_WAITERS
                            + " names that one client waits for, the release of number " + place + " woke no waiter");
        }
    }

    @LockRule("7.2")
    @Needs(Capability.PUSHED)
    default void rule72_eachOfManyWaitersIsWoken() throws Exception {
        String name = kit().newName();
        LockProvider crowded = kit().provider();
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
            Assertions.assertTrue(
                    Pace.within(Pace.CROWD_WITHIN, () -> waiting(waiters) < before),
                    () -> unwoken(before + " do not get it"));
        }
        for (int i = 0; i < waiters.size(); i++) {
            int place = i + 1;
            Assertions.assertTrue(waiters.get(i).result(), () -> unwoken("number " + place + " does not get it"));
        }
    }

    private static long waiting(List<Call<Boolean>> waiters) {
        return waiters.stream().filter(waiter -> !waiter.isDone()).count();
    }

    private static String unwoken(String which) {
        return "the provider declares wake-up PUSH, but of " + 2 * MANY_CLIENTS + " waiters of " + (MANY_CLIENTS + 1)
                + " clients, each of which releases the lock when it has it, " + which;
    }

    @LockRule("7.5")
    @Needs(Capability.ORDERED)
    default void rule75_aLongLineIsServedInOrder() {
        // A store that waits for its first waiter waits for some time only, so a machine that stands still changes the
        // order.
        kit().reliesOnPace();
        String name = kit().newName();
        List<LockProvider> clients = Stream.generate(kit()::provider).limit(3).toList();
        DrivenClaim holder = kit().claim(name).lasting().makeGranted();
        WaitingLine line = new WaitingLine();
        for (int i = 0; i < MANY_WAITERS; i++) {
            line.add(
                    kit().claim(clients.get(i % clients.size()), name).lasting().make());
        }
        // Far behind: those who leave have no place any more, and nobody waits for them later.
        for (int place : new int[] {20, 16, 11, 10}) {
            line.remove(place).mustRelease(Release.NOT_HELD, "it only waited");
        }
        for (int first = 0; first < line.length(); first++) {
            line.askAgain(first);
            Reservation reservation = new Reservation(kit().harness().lease());
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

    /** The last of a line attempts, one in the middle and the second, before the first one does; of a slow store only the last. */
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
