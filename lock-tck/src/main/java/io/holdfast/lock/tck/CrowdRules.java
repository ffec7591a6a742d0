package io.holdfast.lock.tck;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;

/** Many at once: locks of one client, and claims of it; {@link WaitingCrowdRules} has the crowds of waiters. */
interface CrowdRules extends Rules {

    /** More locks than most tables of a fixed size that a client may keep; a store that is slow gets a part of them. */
    int MANY_LOCKS = 1_100;

    /** However slow the store is. */
    int SOME_LOCKS = 32;

    Duration GRANTING = Duration.ofSeconds(2);

    /** More waiters than any pool of connections or threads that a client may have by default. */
    int MANY_WAITERS = 24;

    @LockRule({"1.1", "1.8"})
    default void rule11_manyLocksOfOneClientAreAllHeld() {
        LockProvider provider = kit().provider();
        LockProvider observer = kit().provider();
        List<DrivenClaim> held =
                granted(name -> kit().claim(provider, name).outlastingFaults().makeGranted());
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

    /** Many locks, of names that the kit does not inspect at the end: so many would take longer than the rule itself. */
    static List<DrivenClaim> granted(Function<String, DrivenClaim> granting) {
        List<DrivenClaim> held = new ArrayList<>();
        long start = Pace.now();
        while (held.size() < SOME_LOCKS
                || (held.size() < MANY_LOCKS && Pace.since(start).compareTo(GRANTING) < 0)) {
            held.add(granting.apply("tck-" + UUID.randomUUID()));
        }
        return held;
    }

    @LockRule({"6.1", "6.7"})
    @Needs(value = Capability.FENCED, hooks = Hook.DISPOSABLE)
    default void rule67_tokensAreRaisedForEachOfManyNames() {
        LockProvider provider = kit().provider();
        long above = Tokens.raisedMuch(kit(), provider);
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
            AtomicInteger granted = new AtomicInteger();
            Crowd.atOnce(claims, claim -> {
                if (claim.isGranted()) {
                    granted.incrementAndGet();
                }
            });
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
}
