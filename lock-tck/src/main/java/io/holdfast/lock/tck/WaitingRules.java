package io.holdfast.lock.tck;

import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Assertions;

/** Chapter 7, waiting, as far as the store is responsible. */
interface WaitingRules extends Rules {

    @LockRule("7.2")
    @Needs(Capability.PUSHED)
    default void rule72_aReleaseWakesAWaitingClaim() throws InterruptedException {
        LockProvider waiting = kit().provider();
        LockProvider[] holding = {kit().provider(), waiting};
        for (int i = 0; i < 20; i++) {
            String name = kit().newName();
            DrivenClaim holder = kit().claim(holding[i % 2], name).lasting().makeGranted();
            DrivenClaim waiter = kit().claim(waiting, name).lasting().make();
            if (i % 4 < 2) {
                waiter.mustWait();
            }
            // Otherwise the release follows the refusal at once, perhaps before the provider listens.
            Call<Boolean> granted = waiter.waitingForHints(Pace.HANGS);
            holder.mustRelease(Release.RELEASED, "it holds the lock");
            Assertions.assertTrue(
                    Rules.isWoken(granted),
                    "the provider declares wake-up PUSH, but a claim that attempts after each wake-up, and at no other time,"
                            + " does not get a lock that was released");
            waiter.release();
        }
    }

    @LockRule("7.2")
    @Needs({Capability.PUSHED, Capability.UNORDERED})
    default void rule72_aWaiterThatLostTheRaceIsWokenByTheNextRelease() {
        String name = kit().newName();
        LockProvider others = kit().provider();
        DrivenClaim holder = kit().claim(others, name).lasting().makeGranted();
        DrivenClaim waiter = kit().claim(name).lasting().make();
        for (int i = 0; i < 3; i++) {
            int before = waiter.mustWait();
            holder.mustRelease(Release.RELEASED, "it holds the lock");
            mustBeWoken(waiter, before, "release number " + (i + 1));
            holder = kit().tryingOnce(others, name);
            if (!holder.isGranted()) {
                // This store reserves the lock for the claim that it woke.
                break;
            }
        }
        holder.release();
        waiter.takeOver(Duration.ZERO, "it is the only waiter, and the holder has left");
    }

    @LockRule("7.2")
    @Needs(Capability.PUSHED)
    default void rule72_aWithdrawnClaimSilencesNoOther() {
        LockProvider waiting = kit().provider();
        LockProvider closing = kit().provider();
        List<DrivenClaim> holders = kit().holders(kit().provider(), kit().longLease(), 3);
        String first = holders.get(0).name();
        DrivenClaim gone = kit().claim(waiting, first).lasting().make();
        DrivenClaim closed = kit().claim(closing, first).lasting().make();
        List<DrivenClaim> waiters = holders.stream()
                .map(holder -> kit().claim(waiting, holder.name()).lasting().make())
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
                // A claim may be woken when one before it leaves. It must attempt again to be woken again.
                heard[i] = waiter.mustWait();
            }
            holders.get(i).mustRelease(Release.RELEASED, "it holds the lock");
            mustBeWoken(
                    waiter,
                    heard[i],
                    "the release of its lock, while other claims for it and for other locks came and went");
            waiter.mustBeGranted("it is the only waiter, and the holder has left");
            waiter.release();
        }
    }

    @LockRule("7.2")
    @Needs(Capability.PUSHED)
    default void rule72_aWakeUpPassesOnWhenTheWokenClaimLeaves() {
        LockProvider waiting = kit().provider();
        for (int i = 0; i < 5; i++) {
            String name = kit().newName();
            DrivenClaim holder = kit().claim(name).lasting().makeGranted();
            DrivenClaim first = kit().claim(waiting, name).lasting().make();
            DrivenClaim second = kit().claim(waiting, name).lasting().make();
            first.mustWait();
            int hintsOfSecond = second.mustWait();
            int hintsOfFirst = first.hints();
            holder.mustRelease(Release.RELEASED, "it holds the lock");
            Assertions.assertTrue(
                    Pace.within(
                            Pace.WOKEN_WITHIN, () -> first.hints() > hintsOfFirst || second.hints() > hintsOfSecond),
                    "the provider declares wake-up PUSH, but the release woke neither of two waiting claims");
            // A store may wake one of them, and not the one that came first.
            if (first.hints() > hintsOfFirst) {
                wakeUpPassesOn(first, second, hintsOfSecond, i % 2 == 0);
            } else {
                wakeUpPassesOn(second, first, hintsOfFirst, i % 2 == 0);
            }
        }
    }

    /** Not always after a question for the holder: whatever is asked may also repair what a store has forgotten. */
    private static void wakeUpPassesOn(DrivenClaim woken, DrivenClaim other, int hintsOfOther, boolean asksBefore) {
        boolean holdsNothing = asksBefore
                && woken.provider()
                        .holder(woken.name())
                        .filter(holder -> holder.owner().equals(woken.ownerId()))
                        .isEmpty();
        if (holdsNothing) {
            woken.mustRelease(Release.NOT_HELD, "it has not attempted again");
        } else {
            // Whether the store has granted it the lock, or would with the next attempt, is for the store to say.
            Release unused = woken.release();
        }
        mustBeWoken(other, hintsOfOther, "a release that the other waiting claim did not use");
        other.mustBeGranted("it is the only waiter, and the holder has left");
        other.release();
    }

    /** It may have been woken with the first, and has found out that its turn has not come. */
    @LockRule("7.2")
    @Needs(Capability.PUSHED)
    default void rule72_aClaimThatCameBeforeItsTurnIsWokenWhenTheOneBeforeItLeaves() {
        LockProvider waiting = kit().provider();
        for (LockProvider next : List.of(waiting, kit().provider())) {
            String name = kit().newName();
            DrivenClaim holder = kit().claim(name).lasting().makeGranted();
            DrivenClaim first = kit().claim(waiting, name).lasting().make();
            DrivenClaim second = kit().claim(next, name).lasting().make();
            first.mustWait();
            second.mustWait();
            holder.mustRelease(Release.RELEASED, "it holds the lock");
            if (!second.isGranted()) {
                int before = second.hints();
                // Whether the store has granted it the lock is for the store to say.
                Release unused = first.release();
                mustBeWoken(second, before, "the leave of the claim that was to have the released lock before it");
                second.mustBeGranted("it is the only waiter, and the holder has left");
            }
            second.release();
        }
    }

    @LockRule("7.2")
    @Needs({Capability.PUSHED, Capability.LEASED_PER_CLAIM})
    default void rule72_aWaiterThatMissedItsTurnIsWokenWhenItComesAgain() {
        String name = kit().newName();
        DrivenClaim holder = kit().claim(name).lasting().makeGranted();
        // With a short lease: a store may grant it the lock when it is its turn.
        DrivenClaim late = kit().claim(name).make();
        int before = late.mustWait();
        holder.mustRelease(Release.RELEASED, "it holds the lock");
        mustBeWoken(late, before, "the release of the lock");
        DrivenClaim next = kit().claim(name).lasting().make();
        next.takeOver(
                kit().longestLife().plus(Pace.DEAD_WAITERS_GO_WITHIN),
                "its holder has left, and the claim that was woken does not come");

        int again = late.mustWait();
        next.mustRelease(Release.RELEASED, "it holds the lock");
        mustBeWoken(late, again, "a release after it had not come the first time");
        late.release();
    }

    private static void mustBeWoken(DrivenClaim waiter, int hintsBefore, String what) {
        Assertions.assertTrue(
                Pace.within(Pace.WOKEN_WITHIN, () -> waiter.hints() > hintsBefore),
                () -> "the provider declares wake-up PUSH, but a waiting claim was not woken by " + what);
    }

    /** Claims that want the lock before the one that is told when to ask again. */
    int RIVALS = 8;

    @LockRule("7.3")
    default void rule73_retryAfterIsNotLongerThanTheHoldersLease() throws Exception {
        LockProvider holding = kit().provider();
        kit().conclusively(() -> {
            String name = kit().newName();
            DrivenClaim holder = kit().claim(holding, name).makeGranted();

            // The rivals' own leases are longer, and have nothing to do with it, nor has their number.
            DrivenClaim rival = kit().claim(name).lasting().make();
            Attempt attempt = rival.attempt();
            for (int i = 1; i < RIVALS && attempt instanceof Attempt.Contended; i++) {
                rival = kit().claim(rival.provider(), name).lasting().make();
                attempt = rival.attempt();
            }
            if (Pace.now() - holder.calledAt() > kit().lease().toNanos()) {
                return false;
            }
            Attempt.Contended contended =
                    Assertions.assertInstanceOf(Attempt.Contended.class, attempt, "an attempt for a lock that is held");
            contended.retryAfter().ifPresent(time -> {
                Assertions.assertFalse(time.isNegative(), () -> "retryAfter must not be negative: " + time);
                Assertions.assertTrue(
                        time.compareTo(kit().longestLife()) <= 0,
                        () -> "the holder's lease ends within " + kit().longestLife()
                                + ", but the claim is to ask again only after " + time);
            });
            return true;
        });
    }

    @LockRule("7.3")
    @Needs(Capability.LEASED_PER_CLAIM)
    default void rule73_aClaimThatComesLateIsToldWhatIsLeftOfTheLease() throws Exception {
        kit().conclusively(() -> {
            Duration tolerance = kit().harness().expiryTolerance();
            // So long that the tolerance is a small part of it: else what may be left would be no
            // less than the whole lease.
            Duration lease = kit().lease().plus(tolerance.multipliedBy(8));
            DrivenClaim holder = kit().claim(kit().newName()).leasing(lease).makeGranted();
            long latestEnd = Pace.now() + lease.plus(tolerance).toNanos();
            Pace.pass(lease.dividedBy(2));
            DrivenClaim late = kit().claim(holder.name()).lasting().make();
            Attempt attempt = late.attempt();
            if (Pace.since(holder.calledAt()).compareTo(lease) > 0) {
                return false;
            }
            Attempt.Contended contended =
                    Assertions.assertInstanceOf(Attempt.Contended.class, attempt, "an attempt for a lock that is held");
            Duration left = Duration.ofNanos(latestEnd - late.calledAt());
            // A store may round.
            Duration most = left.plus(lease.dividedBy(4));
            contended
                    .retryAfter()
                    .ifPresent(time -> Assertions.assertTrue(
                            time.compareTo(most) <= 0,
                            () -> "the holder's lease ends within " + left
                                    + ", but a claim that came late in it is to ask again only after " + time));
            return true;
        });
    }

    @LockRule({"7.4", "7.6"})
    default void rule76_aWithdrawnClaimIsNeverGranted() {
        String name = kit().newName();
        DrivenClaim holder = kit().claim(name).lasting().makeGranted();
        DrivenClaim gone = kit().claim(name).lasting().make();
        gone.mustBeContended("the lock is held");
        gone.mustRelease(Release.NOT_HELD, "a contended claim holds nothing");
        holder.mustRelease(Release.RELEASED, "it holds the lock");

        gone.mustBeLost("it was withdrawn before the lock was free");
        kit().visitor(name).mustBeGranted("the only other claim was withdrawn");
        gone.mustRelease(Release.NOT_HELD, "it was withdrawn");
    }
}
