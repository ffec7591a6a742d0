package io.holdfast.lock.tck;

import io.holdfast.lock.LockHolder;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Assertions;

/** Every release wakes a waiter: whatever was done with the lock before, and however soon the next release follows. */
interface WakeUpRules extends Rules {
    /** Less of a lease than that may be taken for none. */
    Duration HALF_A_SECOND = Duration.ofMillis(500);

    @LockRule("7.2")
    @Needs(Capability.PUSHED)
    default void rule72_everyReleaseWakesWhateverCameBeforeIt() {
        LockProvider waiting = kit().provider();
        LockProvider[] holding = {kit().provider(), waiting};
        List<RepeatedHold> holds = RepeatedHold.all(kit());
        Sleepers sleepers = new Sleepers();
        for (int time = 1; time <= SecondTimeRules.TIMES; time++) {
            List<Runnable> releases = new ArrayList<>();
            for (RepeatedHold hold : holds) {
                releases.add(hold.begins(kit(), holding[time % 2], waiting));
                DrivenClaim waiter = kit().claim(waiting, hold.name()).lasting().make();
                sleepers.add(waiter, "release number " + time + ", " + hold.what());
                if (hold.way() == RepeatedHold.Way.WAITER_ASKS_AGAIN) {
                    waiter.mustBeContended("the lock is held");
                    Optional<LockHolder> unused = waiting.holder(hold.name());
                }
            }
            sleepers.settle();
            releases.forEach(Runnable::run);
            sleepers.mustAllBeGranted(Pace.WOKEN_WITHIN);
        }
    }

    @LockRule("7.2")
    @Needs(Capability.PUSHED)
    default void rule72_aReleaseRightAfterAnotherWakes() throws InterruptedException {
        LockProvider holding = kit().provider();
        LockProvider waiting = kit().provider();
        String name = kit().newName();
        for (int time = 1; time <= SecondTimeRules.TIMES; time++) {
            DrivenClaim first = kit().claim(holding, name).lasting().makeGranted();
            DrivenClaim waiter = kit().claim(waiting, name).lasting().make();
            Call<Boolean> woken = waiter.waitingForHints(Pace.HANGS);
            first.mustRelease(Release.RELEASED, "it holds the lock");
            // Mostly faster than the waiter, which then needs the message of the second release.
            DrivenClaim faster = kit().tryingOnce(holding, name);
            boolean unused = faster.isGranted();
            faster.release();

            Assertions.assertTrue(
                    Rules.isWoken(woken),
                    "the provider declares wake-up PUSH, but a claim that attempts after each wake-up, and at no other time,"
                            + " does not get a lock that was released twice in quick succession");
            waiter.release();
        }
    }

    @LockRule("7.2")
    @Needs(Capability.PUSHED)
    default void rule72_aWaitThatIsGivenUpEndsNoOtherOfItsOwner() throws Exception {
        for (boolean first : new boolean[] {true, false}) {
            DrivenClaim holder = kit().claim(kit().newName()).lasting().makeGranted();
            DrivenClaim one = kit().claim(holder.name()).owned().lasting().make();
            DrivenClaim other =
                    kit().claim(holder.name()).byOwnerOf(one).lasting().make();
            int hintsOfOne = one.mustWait();
            int hintsOfOther = other.mustWait();
            // It asks again only after a hint: to ask without one would repair what the other one takes along.
            DrivenClaim left = first ? other : one;
            int hints = first ? hintsOfOther : hintsOfOne;
            (first ? one : other).mustRelease(Release.NOT_HELD, "it only waited");
            holder.mustRelease(Release.RELEASED, "it holds the lock");
            left.mustBeGrantedByHints(hints, "another wait of its owner was given up in another client");
            left.release();
        }
    }

    @LockRule("7.2")
    @Needs({Capability.PUSHED, Capability.LEASED_PER_CLAIM})
    default void rule72_aReleaseShortlyBeforeTheEndOfALeaseWakes() throws Exception {
        Duration[] preparing = {HALF_A_SECOND};
        kit().conclusively(() -> {
            LockProvider waiting = kit().provider();
            // Long enough for all to fall asleep: as the try before has shown.
            Duration lease = kit().lease().plus(preparing[0].multipliedBy(2));
            long start = Pace.now();
            List<DrivenClaim> holders = kit().holders(kit().provider(), lease, SecondTimeRules.TIMES);
            Sleepers sleepers = new Sleepers();
            boolean asleep = holders.stream()
                            .map(holder -> kit().claim(waiting, holder.name())
                                    .lasting()
                                    .make())
                            .allMatch(waiter -> sleepers.adds(
                                    waiter, "the release of a claim with less than half a second of its lease left"))
                    && sleepers.fallAsleep();
            preparing[0] = Pace.since(start);
            holders.get(0).outlive(lease.minus(HALF_A_SECOND));
            boolean allReleased =
                    holders.stream().map(DrivenClaim::release).noneMatch(release -> release == Release.NOT_HELD);
            if (!asleep || !allReleased) {
                return false;
            }
            sleepers.mustAllBeGranted(Pace.WOKEN_WITHIN);
            return true;
        });
    }

    @LockRule("7.2")
    @Needs(Capability.PUSHED)
    default void rule72_allWaitersOfSeveralLocksAndClientsAreWokenInTheEnd() {
        LockProvider[] clients = {kit().provider(), kit().provider(), kit().provider()};
        List<DrivenClaim> holders = kit().holders(kit().provider(), kit().longLease(), 3);
        Sleepers sleepers = new Sleepers();
        for (int i = 0; i < 2 * clients.length; i++) {
            for (DrivenClaim holder : holders) {
                sleepers.add(
                        kit().claim(clients[i % clients.length], holder.name())
                                .lasting()
                                .make(),
                        "the release by the holder, or by the claim that was granted the lock before");
            }
        }
        sleepers.settle();
        holders.forEach(holder -> holder.mustRelease(Release.RELEASED, "it holds the lock"));

        sleepers.mustAllBeGranted(Pace.WOKEN_WITHIN);
    }

    /** A message may have the name in it, among other things. */
    @LockRule({"1.4", "7.2"})
    @Needs(Capability.PUSHED)
    default void rule72_theReleaseOfALockWakesWhateverItsName() {
        LockProvider holding = kit().provider();
        LockProvider waiting = kit().provider();
        List<DrivenClaim> holders = TrickyNames.variants(kit().newName()).stream()
                .flatMap(name -> kit()
                        .unlessRefused(
                                () -> kit().claim(holding, name).lasting().makeGranted())
                        .stream())
                .toList();
        Sleepers sleepers = new Sleepers();
        holders.forEach(holder -> sleepers.add(
                kit().claim(waiting, kit().named(holder.name())).lasting().make(),
                "the release of the lock " + TrickyNames.shown(holder.name())));
        sleepers.settle();
        holders.forEach(holder -> holder.mustRelease(Release.RELEASED, "it holds the lock"));

        sleepers.mustAllBeGranted(Pace.WOKEN_WITHIN);
    }

    /** A client may forget a claim sooner than it is to ask again. */
    @LockRule("7.2")
    @Needs(Capability.PUSHED)
    @Lengthy
    default void rule72_aWaiterIsWokenAfterALongWait() throws Exception {
        kit().conclusively(() -> {
            DrivenClaim holder = kit().claim(kit().newName()).lasting().makeGranted();
            DrivenClaim waiter = kit().claim(holder.name()).lasting().make();
            waiter.mustBeContended("the lock is held");
            waiter.waitLong();
            int hints = waiter.hints();
            holder.mustRelease(Release.RELEASED, "it holds the lock");
            boolean inTime = !waiter.isDue();
            Assertions.assertTrue(
                    !inTime || Pace.within(Pace.WOKEN_WITHIN, () -> waiter.hints() > hints),
                    () ->
                            "the provider declares wake-up PUSH, but a release did not wake a claim that has waited for long, and was to ask again "
                                    + waiter.asksAgainAfter().toMillis() + " ms after its attempt");
            return inTime;
        });
    }
}
