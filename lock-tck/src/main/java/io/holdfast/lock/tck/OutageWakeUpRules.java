package io.holdfast.lock.tck;

import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.tck.faults.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assertions;

/** Who is woken after an outage: whoever has waited since before it, and whoever has begun to listen during it. */
interface OutageWakeUpRules extends Rules {

    /**
     * By then a client that tries again a number of times has given up, and one that doubles its pause without a bound sleeps for
     * long: whether the first pause was of 50, 100, 200, 250, 500 or 1,000 ms, one of more than 25 s has just begun.
     */
    Duration LONG_OUTAGE = Duration.ofSeconds(34);

    /** By then a store may have taken a client for dead whose connection broke, although it has come back. */
    Duration FORGOTTEN_WITHIN = Duration.ofSeconds(4);

    /** Far more grants than there are after a loss of data. */
    int CHANGES = 30;

    /** That one client waits for. */
    int NAMES = 5;

    @LockRule({"7.2", "9.5"})
    @Needs(
            value = {Capability.PUSHED, Capability.LEASED_PER_CLAIM},
            hooks = Hook.OUTAGE)
    @Lengthy
    default void rule95_aClaimThatWaitsThroughALaterOutageIsWoken() throws Exception {
        Fault outage = Trouble.outage(kit());
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
            mustBeWokenByARelease(
                    waiter, holder, "outage number " + number, number < 3 ? Duration.ZERO : FORGOTTEN_WITHIN);
            holder = waiter;
        }
    }

    @LockRule({"7.2", "9.5"})
    @Needs(
            value = {Capability.PUSHED, Capability.LEASED_PER_CLAIM},
            hooks = Hook.OUTAGE)
    @Lengthy
    default void rule95_aClaimThatWaitsThroughALongOutageIsWoken() throws Exception {
        Fault outage = Trouble.outage(kit());
        String name = kit().newName();
        DrivenClaim holder =
                kit().claim(Trouble.connected(kit()), name).outlastingFaults().makeGranted();
        DrivenClaim waiter =
                kit().claim(kit().provider(), name).outlastingFaults().make();
        waiter.mustWait();
        Trouble.during(outage, () -> Pace.pass(LONG_OUTAGE));
        mustBeWokenByARelease(waiter, holder, "a long outage", Duration.ZERO);
    }

    /**
     * A store that numbers its changes starts again at 1 after it has lost its data. A client that waits for a greater number
     * than the last one it saw would not be woken.
     */
    @LockRule({"7.2", "8.5"})
    @Needs(
            value = {Capability.PUSHED, Capability.LEASED_PER_CLAIM},
            hooks = Hook.DATA_LOSS)
    default void rule72_aClaimThatWaitsThroughALossOfTheStoresDataIsWoken() throws Exception {
        Fault loss = kit().harness().faults().dataLoss().orElseThrow();
        LockProvider other = Trouble.connected(kit());
        for (int change = 0; change < CHANGES; change++) {
            kit().visitor(other, kit().newName()).mustPass("nobody holds the lock");
        }
        DrivenClaim lost =
                kit().claim(other, kit().newName()).outlastingFaults().makeGranted();
        DrivenClaim waiter =
                kit().claim(kit().provider(), lost.name()).outlastingFaults().make();
        waiter.mustWait();
        Trouble.during(loss, () -> {});
        DrivenClaim holder = kit().claim(other, lost.name()).outlastingFaults().make();
        // A line that has outlived the data keeps a free lock for its first for a while.
        Trouble.answered("an attempt", () -> holder.takeOver(Pace.WOKEN_WITHIN, "the store has lost its data"));
        mustBeWokenByARelease(waiter, holder, "a loss of the store's data", Duration.ZERO);
    }

    private static void mustBeWokenByARelease(DrivenClaim waiter, DrivenClaim holder, String outage, Duration later)
            throws Exception {
        int hints = Trouble.answered("an attempt after an outage", waiter::mustWait);
        Pace.pass(later);
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
        Fault outage = Trouble.outage(kit());
        LockProvider waiting = kit().provider();
        List<DrivenClaim> holders = kit().holders(kit().provider(), kit().longLease(), NAMES);
        // One after the other, so that no two names begin together.
        List<DrivenClaim> waiters = new ArrayList<>();
        for (DrivenClaim holder : holders) {
            DrivenClaim waiter = kit().claim(waiting, holder.name()).lasting().make();
            int unused = waiter.mustWait();
            waiters.add(waiter);
        }
        Trouble.during(outage, () -> Trouble.mustFail(waiters.get(0)::attempt));
        for (int i = 0; i < NAMES; i++) {
            DrivenClaim waiter = waiters.get(i);
            int hints = Trouble.answered("an attempt after an outage", waiter::mustWait);
            Trouble.answered("a release after an outage", holders.get(i)::release);
            int number = i + 1;
            Assertions.assertTrue(
                    Pace.within(Pace.LISTENS_WITHIN, () -> waiter.hints() > hints),
                    () -> "the provider declares wake-up PUSH, but of " + NAMES
                            + " names that a client waited for before an outage, the release of number " + number
                            + " after it woke no claim");
            Trouble.answered("a release after an outage", waiter::release);
        }
    }

    @LockRule({"7.2", "9.5"})
    @Needs(value = Capability.PUSHED, hooks = Hook.OUTAGE)
    default void rule95_aSubscriptionOfAnOutageListensAfterIt() throws Exception {
        Fault outage = Trouble.outage(kit());
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
            Pace.pass(kit().lease());
            Assertions.assertFalse(
                    feed.listensTo(name),
                    "a feed that is subscribed to a name in an outage must not report that it listens before the end of it:"
                            + " waiters would no longer ask");
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
}
