package io.holdfast.lock.tck;

import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.tck.faults.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;

/** What an outage leaves as it was: leases, releases, places and who listens. */
interface OutageRules extends Rules {

    @LockRule({"2.1", "9.5"})
    @Needs(value = Capability.LEASED_PER_CLAIM, hooks = Hook.OUTAGE)
    default void rule21_anOutageProlongsNoLease() throws Exception {
        Fault outage = outage();
        LockProvider third = Trouble.connected(kit());
        Duration lease = kit().lease().multipliedBy(4);
        DrivenClaim holder = kit().claim(kit().newName()).leasing(lease).makeGranted();
        DrivenClaim next = kit().claim(third, holder.name()).lasting().make();
        Pace.pass(lease.multipliedBy(3).dividedBy(4));
        Trouble.during(outage, () -> Trouble.mustFail(next::attempt));
        Trouble.answered("an attempt after an outage", next::attempt);

        // What is left of the lease is less with each repetition.
        Trouble.answered(
                "an attempt after an outage",
                () -> next.takeOver(
                        lease.plus(kit().harness().expiryTolerance()).minus(Pace.since(holder.calledAt())),
                        "the lease of its holder, which began before an outage, has ended"));
        Trouble.answered("a release after an outage", next::release);
    }

    @LockRule({"5.6", "9.5"})
    @Needs(hooks = Hook.OUTAGE)
    default void rule56_anAttemptOfAnOutageIsNotCarriedOutAfterItsRelease() throws Exception {
        Fault outage = outage();
        LockProvider provider = Trouble.connected(kit());
        LockProvider third = Trouble.connected(kit());
        DrivenClaim claim = kit().claim(provider, kit().newName()).lasting().make();
        Trouble.during(outage, () -> Trouble.mustFail(claim::attempt));
        Release unused = Trouble.answered("a release after an outage", claim::release);
        // What the provider may have kept would be sent with this.
        Trouble.answered("a question after an outage", () -> provider.holder(claim.name()));

        DrivenClaim next = kit().claim(third, claim.name()).lasting().make();
        Trouble.answered("an attempt after an outage", next::attempt);
        Trouble.answered(
                "an attempt after an outage",
                () -> next.mustBeGranted("the claim whose attempt failed in an outage was released after it"));
    }

    @LockRule({"7.2", "9.5"})
    @Needs(
            value = {Capability.PUSHED, Capability.LEASED_PER_CLAIM},
            hooks = Hook.OUTAGE)
    default void rule95_aClaimThatWaitsThroughALaterOutageIsWoken() throws Exception {
        Fault outage = outage();
        LockProvider first = kit().provider();
        List<LockProvider> providers = List.of(kit().provider(), kit().provider());
        String name = kit().newName();
        DrivenClaim holder = kit().claim(providers.get(0), name).lasting().makeGranted();
        // What the clients of a process share has to outlive the one that came first.
        DrivenClaim early = kit().claim(first, name).lasting().make();
        early.mustWait();
        early.release();
        first.close();
        for (int number = 1; number <= 3; number++) {
            DrivenClaim waiter =
                    kit().claim(providers.get(number % 2), name).lasting().make();
            waiter.mustWait();
            Trouble.during(outage, () -> Trouble.mustFail(waiter::attempt));
            mustBeWokenByARelease(waiter, holder, "outage number " + number);
            holder = waiter;
        }
    }

    /** By then a client that tries again a number of times has given up, and one that doubles its pause sleeps for long. */
    Duration LONG_OUTAGE = Duration.ofSeconds(25);

    @LockRule({"7.2", "9.5"})
    @Needs(
            value = {Capability.PUSHED, Capability.LEASED_PER_CLAIM},
            hooks = Hook.OUTAGE)
    @Lengthy
    default void rule95_aClaimThatWaitsThroughALongOutageIsWoken() throws Exception {
        Fault outage = outage();
        String name = kit().newName();
        DrivenClaim holder =
                kit().claim(Trouble.connected(kit()), name).outlastingFaults().makeGranted();
        DrivenClaim waiter =
                kit().claim(kit().provider(), name).outlastingFaults().make();
        waiter.mustWait();
        Trouble.during(outage, () -> Pace.pass(LONG_OUTAGE));
        mustBeWokenByARelease(waiter, holder, "a long outage");
    }

    private static void mustBeWokenByARelease(DrivenClaim waiter, DrivenClaim holder, String outage) throws Exception {
        int hints = Trouble.answered("an attempt after an outage", waiter::mustWait);
        Trouble.answered("a release after an outage", holder::release);
        Assertions.assertTrue(
                Pace.within(Pace.LISTENS_WITHIN, () -> waiter.hints() > hints),
                () -> "the provider declares wake-up PUSH, but a release after " + outage
                        + " did not wake a claim that has waited since before it");
        Trouble.answered("an attempt after an outage", () -> waiter.mustBeGranted("its holder has released the lock"));
    }

    @LockRule({"7.2", "9.5"})
    @Needs(
            value = {Capability.PUSHED, Capability.LEASED_PER_CLAIM},
            hooks = Hook.OUTAGE)
    default void rule95_aClientThatWaitsForSeveralNamesIsWokenForEachAfterAnOutage() throws Exception {
        Fault outage = outage();
        LockProvider waiting = kit().provider();
        List<DrivenClaim> holders = kit().holders(kit().provider(), kit().longLease(), AT_A_TIME);
        // One after the other, so that no two names begin together.
        List<DrivenClaim> waiters = new ArrayList<>();
        for (DrivenClaim holder : holders) {
            DrivenClaim waiter = kit().claim(waiting, holder.name()).lasting().make();
            int unused = waiter.mustWait();
            waiters.add(waiter);
        }
        Trouble.during(outage, () -> Trouble.mustFail(waiters.get(0)::attempt));
        for (int i = 0; i < AT_A_TIME; i++) {
            DrivenClaim waiter = waiters.get(i);
            int hints = Trouble.answered("an attempt after an outage", waiter::mustWait);
            Trouble.answered("a release after an outage", holders.get(i)::release);
            int number = i + 1;
            Assertions.assertTrue(
                    Pace.within(Pace.LISTENS_WITHIN, () -> waiter.hints() > hints),
                    () -> "the provider declares wake-up PUSH, but of " + AT_A_TIME
                            + " names that a client waited for before an outage, the release of number " + number
                            + " after it woke no claim");
            Trouble.answered("a release after an outage", waiter::release);
        }
    }

    /** Calls that are under way at the same time, where one after the other would take so many times longer. */
    int AT_A_TIME = 5;

    @LockRule("9.5")
    @Needs(hooks = Hook.OUTAGE)
    default void rule95_manyCallsOfAnOutageFailAsSoonAsOne() throws Exception {
        Fault outage = outage();
        LockProvider provider = Trouble.connected(kit());
        List<DrivenClaim> claims = Stream.generate(() -> kit().visitor(provider, kit().newName()))
                .limit(AT_A_TIME)
                .toList();
        Trouble.during(outage, () -> {
            Trouble.mustFail(claims.get(0)::attempt);
            // The connection was broken a moment ago; now there is none, and none can be made.
            Pace.pass(kit().lease());
            boolean asSoonAsOne = failAsSoonAsOne(claims);
            if (!asSoonAsOne) {
                // A client may wait for longer, the longer the outage lasts.
                asSoonAsOne = failAsSoonAsOne(claims);
            }
            Assertions.assertTrue(
                    asSoonAsOne,
                    () -> "during an outage " + AT_A_TIME + " calls at the same time must fail as soon as one does,"
                            + " and not one after the other");
        });
    }

    private static boolean failAsSoonAsOne(List<DrivenClaim> claims) {
        Duration alone = failing(claims.subList(0, 1));
        Pace.Limit limit = new Pace.Limit(alone.multipliedBy(AT_A_TIME / 2).plus(Pace.WOKEN_WITHIN));
        Duration unused = failing(claims);
        return !limit.isOver();
    }

    /** Has an attempt of each claim fail, all at the same time. Returns how long that took. */
    private static Duration failing(List<DrivenClaim> claims) {
        long start = Pace.now();
        Crowd.together(claims.stream().map(claim -> () -> Trouble.mustFail(claim::attempt)));
        return Pace.since(start);
    }

    @LockRule({"7.5", "9.5"})
    @Needs(
            value = {Capability.ORDERED, Capability.LEASED_PER_CLAIM},
            hooks = Hook.OUTAGE)
    default void rule75_anOutageKeepsTheOrderOfTheLine() throws Exception {
        kit().reliesOnPace();
        Fault outage = outage();
        DrivenClaim holder = kit().claim(kit().newName()).lasting().makeGranted();
        List<DrivenClaim> line = Stream.generate(
                        () -> kit().claim(holder.name()).lasting().make())
                .limit(3)
                .toList();
        line.forEach(claim -> claim.mustBeContended("the lock is held"));
        Trouble.during(outage, () -> Trouble.mustFail(line.get(0)::attempt));
        for (DrivenClaim claim : line) {
            Trouble.answered("an attempt after an outage", claim::attempt);
        }
        Reservation reservation = kit().reservation();
        Release unused = Trouble.answered("a release after an outage", holder::release);

        reservation.asks(() -> line.get(2).mustBeContended("two claims have waited for longer"));
        reservation.asks(() -> line.get(0).mustBeGranted("it has waited for the longest time, since before an outage"));
    }

    @LockRule({"7.2", "9.5"})
    @Needs(value = Capability.PUSHED, hooks = Hook.OUTAGE)
    default void rule95_aSubscriptionOfAnOutageListensAfterIt() throws Exception {
        Fault outage = outage();
        LockProvider provider = Trouble.connected(kit());
        String name = kit().newName();
        Feed feed = kit().feed(provider);
        if (!feed.isThere()) {
            return;
        }
        // Until the end, so that no claim of the test that leaves ends the subscription.
        Runnable listener = () -> {};
        feed.asks(name, listener);
        Trouble.during(outage, () -> {
            Trouble.mustFail(kit().claim(provider, kit().newName()).make()::attempt);
            feed.subscribe(name);
        });
        LockProvider releasing = kit().provider();
        // A store may tell of a release only if a claim waits, or only the client of the claim that comes next.
        // Elsewhere a waiter of the client
        // that listens would repair, by its own subscription, the one that is tested.
        LockProvider waiting = feed.reachesRefusedClaimsOnly() ? provider : kit().provider();
        Pace.Limit limit = new Pace.Limit(Pace.BACK_WITHIN);
        do {
            Assertions.assertFalse(
                    limit.isOver(),
                    () -> "a subscription that was asked for in an outage must hear of releases within "
                            + Pace.BACK_WITHIN + " of its end");
            // Again with each attempt of a waiter, as the engine does.
            feed.subscribe(name);
            DrivenClaim holder = kit().claim(releasing, name).lasting().make();
            holder.mustBeGranted("nobody else wants the lock");
            DrivenClaim waiter = kit().claim(waiting, name).lasting().make();
            Trouble.answered("an attempt", () -> waiter.mustBeContended("the lock is held"), limit);
            holder.mustRelease(Release.RELEASED, "it holds the lock");
            Trouble.answered("a release", waiter::release, limit);
        } while (!Pace.within(Duration.ofMillis(200), () -> feed.hasHeardOf(name)));
        feed.ends(name, listener);
    }

    @LockRule({"1.8", "3.3", "9.5"})
    @Needs(value = Capability.LEASED_PER_CLAIM, hooks = Hook.OUTAGE)
    default void rule33_renewalsThatFailInAnOutageAreNoLosses() throws Exception {
        Fault outage = outage();
        LockProvider provider = Trouble.connected(kit());
        List<DrivenClaim> holders = Trouble.holders(kit(), provider, 3);
        Trouble.during(outage, () -> {
            Trouble.mustFail(holders.get(0)::renew);
            Trouble.mustAllFail(() -> kit().renewAll(provider, holders));
        });
        for (DrivenClaim holder : holders) {
            Trouble.answered(
                    "a renewal after an outage",
                    () -> holder.mustRenew("only renewals have failed, and its lease has not ended"));
        }
    }

    @LockRule({"1.5", "5.4", "9.5"})
    @Needs(
            value = {Capability.ORDERED, Capability.LEASED_PER_CLAIM},
            hooks = Hook.OUTAGE)
    default void rule54_aClaimThatLeftDuringAnOutageKeepsNoPlace() throws Exception {
        Fault outage = outage();
        DrivenClaim holder = kit().claim(kit().newName()).outlastingFaults().makeGranted();
        DrivenClaim leaving = kit().claim(holder.name()).lasting().make();
        leaving.mustBeContended("the lock is held");
        DrivenClaim next = kit().claim(holder.name()).lasting().make();
        next.mustBeContended("the lock is held");
        boolean[] left = {false};
        Trouble.during(outage, () -> left[0] = Call.isAnswered(leaving::release));
        if (!left[0]) {
            Trouble.answered("a release after an outage", leaving::release);
        }
        Trouble.answered("an attempt after an outage", next::attempt);
        Trouble.answered("a release after an outage", holder::release);

        Trouble.answered(
                "an attempt after an outage",
                () -> next.mustBeGranted(
                        "nobody holds the lock, and the claim that came before has left the queue, during an outage"));
    }

    private Fault outage() {
        return kit().harness().faults().outage().orElseThrow();
    }
}
