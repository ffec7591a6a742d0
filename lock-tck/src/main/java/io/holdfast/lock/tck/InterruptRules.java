package io.holdfast.lock.tck;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.tck.faults.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;

/** A call of a provider leaves its thread interrupted, if it was. */
interface InterruptRules extends Rules {

    @LockRule("7.4")
    default void rule74_aCallKeepsAnInterruptForItsCaller() throws InterruptedException {
        String name = kit().newName();
        LockProvider provider = kit().provider();
        kit().claim(provider, name).lasting().makeGranted();
        for (int i = 0; i < 5; i++) {
            DrivenClaim waiter = kit().claim(provider, name).lasting().make();
            Call<Boolean> caller = Call.begun(begun -> asksUntilInterrupted(waiter, begun));
            Pace.pass(Duration.ofMillis(10));
            caller.interrupt();
            Assertions.assertTrue(caller.result(), "a call of the provider must not swallow its caller's interrupt");
        }
        kit().visitor(provider, name).mustBeContended("the holder has not released the lock");
    }

    /** Attempts again and again until its thread is interrupted; false if the thread saw no interrupt for long. */
    private static boolean asksUntilInterrupted(DrivenClaim waiter, CountDownLatch begun) {
        Pace.Limit limit = new Pace.Limit(Pace.WOKEN_WITHIN);
        while (!Thread.interrupted()) {
            if (limit.isOver()) {
                return false;
            }
            try {
                waiter.attempt();
            } catch (LockStoreException interrupted) {
                // A call may end with the interrupt, if it leaves the thread interrupted.
                return Thread.interrupted();
            }
            begun.countDown();
        }
        return true;
    }

    @LockRule({"1.6", "7.4"})
    default void rule74_everyCallKeepsAnInterruptForItsCaller() {
        LockProvider provider = kit().provider();
        List<DrivenClaim> holders = kit().holders(provider, kit().longLease(), 4);
        DrivenClaim free = kit().claim(provider, kit().newName()).lasting().make();
        DrivenClaim passing = kit().visitor(provider, holders.get(0).name());
        Map<String, Callable<Object>> calls = new LinkedHashMap<>();
        calls.put("an attempt for a free lock", () -> {
            Attempt answer = free.attempt();
            Assertions.assertFalse(
                    answer instanceof Attempt.Contended,
                    "an attempt of an interrupted thread for a free lock must not be contended: nobody holds it");
            return answer;
        });
        calls.put("an attempt for a held lock", passing::attempt);
        calls.put("a renewal", holders.get(0)::renew);
        calls.put(
                "a renewal of several",
                () -> provider.renewAll(List.of(holders.get(1).claim())));
        calls.put("a release", holders.get(2)::release);
        calls.put("a withdrawal", passing::release);
        calls.put(
                "a question for the holder",
                () -> provider.holder(holders.get(3).name()));
        LockProvider closing = Trouble.connected(kit());
        calls.put("a close", () -> {
            closing.close();
            return "closed";
        });
        calls.forEach((what, call) -> Assertions.assertTrue(
                Call.elsewhere(() -> keepsTheInterrupt(call)),
                () -> what + " must not swallow the interrupt of its caller"));

        kit().claim(provider, kit().newName())
                .make()
                .mustPass("nobody holds the lock, and no caller is interrupted now");
    }

    @LockRule({"7.4", "9.3"})
    default void rule74_aClosedProviderKeepsAnInterruptForItsCaller() {
        LockProvider provider = kit().provider();
        DrivenClaim waiter = kit().claim(provider, kit().newName()).make();
        DrivenClaim holder = kit().claim(provider, kit().newName()).makeGranted();
        provider.close();
        Map<String, Callable<Object>> calls = new LinkedHashMap<>();
        calls.put("an attempt", () -> waiter.opened().attempt());
        calls.put("a renewal", () -> holder.claim().renew());
        calls.put("a release", () -> holder.claim().release());
        calls.put("a question for the holder", () -> provider.holder(holder.name()));
        calls.forEach((what, call) -> Assertions.assertTrue(
                Call.elsewhere(() -> keepsTheInterrupt(call, LockException.class)),
                () -> what + " of a closed provider must not swallow the interrupt of its caller"));
        waiter.abandon();
        holder.abandon();
    }

    @LockRule({"5.6", "7.4"})
    default void rule56_aReleaseEndsWhatAnInterruptedAttemptBegan() {
        LockProvider provider = kit().provider();
        LockProvider third = kit().provider();
        for (int i = 0; i < 3; i++) {
            DrivenClaim holder = kit().claim(third, kit().newName()).lasting().makeGranted();
            DrivenClaim granted =
                    kit().claim(provider, kit().newName()).lasting().make();
            DrivenClaim refused = kit().claim(provider, holder.name()).lasting().make();
            for (DrivenClaim interrupted : List.of(granted, refused)) {
                Assertions.assertTrue(
                        Call.elsewhere(() ->
                                keepsTheInterrupt(() -> interrupted.opened().attempt())),
                        "an attempt must not swallow the interrupt of its caller");
                // What it was granted is for the store to say.
                interrupted.release();
            }
            holder.mustRelease(Release.RELEASED, "it holds the lock");

            String because = "nobody holds it, and the claim of an interrupted thread was released";
            for (String name : List.of(granted.name(), holder.name())) {
                kit().claim(third, name).lasting().make().takeOverAndLeave(Pace.SLACK, because);
            }
        }
    }

    @LockRule({"5.4", "7.4"})
    default void rule54_aReleaseOfAnInterruptedThreadIsARelease() {
        LockProvider provider = kit().provider();
        DrivenClaim holder = kit().claim(kit().newName()).lasting().makeGranted();
        DrivenClaim waiter = kit().claim(provider, holder.name()).lasting().make();
        waiter.mustBeContended("the lock is held");
        DrivenClaim held = kit().claim(provider, kit().newName()).lasting().makeGranted();
        for (DrivenClaim leaving : List.of(waiter, held)) {
            boolean answered = Call.elsewhere(() -> {
                Thread.currentThread().interrupt();
                return Call.isAnswered(leaving::release);
            });
            if (!answered) {
                leaving.release();
            }
        }
        holder.mustRelease(Release.RELEASED, "it holds the lock");

        for (DrivenClaim left : List.of(waiter, held)) {
            kit().tryingOnce(kit().provider(), left.name())
                    .takeOverAndLeave(
                            Pace.SLACK, "nobody holds it, and the claim of an interrupted thread was released");
        }
    }

    private static boolean keepsTheInterrupt(Callable<Object> call) throws Exception {
        return keepsTheInterrupt(call, LockStoreException.class);
    }

    private static boolean keepsTheInterrupt(Callable<Object> call, Class<? extends LockException> failure)
            throws Exception {
        Thread.currentThread().interrupt();
        try {
            call.call();
        } catch (LockException interrupted) {
            if (!failure.isInstance(interrupted)) {
                throw interrupted;
            }
            // A call may end with the interrupt, if it leaves the thread interrupted.
            return Thread.interrupted();
        }
        return Thread.interrupted();
    }

    @LockRule({"1.6", "7.4"})
    @Needs(hooks = Hook.PAUSE)
    default void rule74_anInterruptIsKeptWhileTheStoreDoesNotAnswer() throws Exception {
        Fault pause = kit().harness().faults().pause().orElseThrow();
        LockProvider provider = Trouble.connected(kit());
        // With a short lease: an attempt may be carried out late, behind the release.
        DrivenClaim claim = kit().visitor(provider, kit().newName());
        boolean[] kept = {false};
        Trouble.during(pause, () -> {
            Call<Boolean> caller = Call.start(() -> keepsTheInterrupt(claim::attempt, LockStoreException.class));
            Trouble.mustEnd(caller, "an attempt of an interrupted thread");
            CountDownLatch interrupted = new CountDownLatch(1);
            Call<Boolean> waiting = Call.begun(begun -> {
                begun.countDown();
                boolean unused = Call.isAnswered(claim::attempt);
                return isInterruptedBefore(interrupted);
            });
            Pace.pass(Duration.ofMillis(50));
            waiting.interrupt();
            interrupted.countDown();
            Trouble.mustEnd(waiting, "an attempt whose thread was interrupted while the store did not answer");
            kept[0] = caller.result() && waiting.result();
        });
        Release unused = Trouble.answered("a release", claim::release);

        Assertions.assertTrue(
                kept[0], "a call that the store does not answer must not swallow the interrupt of its caller");
    }

    /** More than a pool of connections may have. */
    int MANY_CALLS = 40;

    /** Most of them wait for a connection. */
    @LockRule("7.4")
    @Needs(hooks = Hook.PAUSE)
    default void rule74_eachOfManyCallsThatHangKeepsItsInterrupt() throws Exception {
        Fault pause = kit().harness().faults().pause().orElseThrow();
        LockProvider provider = Trouble.connected(kit());
        List<DrivenClaim> claims = Stream.generate(() -> kit().visitor(provider, kit().newName()))
                .limit(MANY_CALLS)
                .toList();
        List<Call<Boolean>> callers = new ArrayList<>();
        CountDownLatch interrupted = new CountDownLatch(1);
        // All at once, or the first have ended before the last begin.
        CyclicBarrier ready = new CyclicBarrier(MANY_CALLS + 1);
        Trouble.during(pause, () -> {
            for (DrivenClaim claim : claims) {
                callers.add(Call.start(() -> {
                    ready.await();
                    boolean unused = Call.isAnswered(claim::attempt);
                    return isInterruptedBefore(interrupted);
                }));
            }
            ready.await(Pace.HANGS.toSeconds(), TimeUnit.SECONDS);
            Pace.pass(Duration.ofMillis(50));
            callers.forEach(Call::interrupt);
            interrupted.countDown();
            callers.forEach(caller -> Trouble.mustEnd(caller, "each of many attempts whose threads were interrupted"));
        });
        for (DrivenClaim claim : claims) {
            Release unused = Trouble.answered("a release", claim::release);
        }
        Trouble.carriedOut(
                "an attempt after many that hung and were interrupted",
                () -> kit().tryingOnce(provider, kit().newName()).mustPass("nobody holds the lock"));

        Assertions.assertEquals(
                MANY_CALLS,
                callers.stream().filter(Call::result).count(),
                () -> "how many of " + MANY_CALLS
                        + " callers of a store that does not answer have kept their interrupt");
    }

    /** A call may have ended before its thread is interrupted: the thread waits for that. */
    private static boolean isInterruptedBefore(CountDownLatch moment) {
        try {
            boolean unused = moment.await(Pace.HANGS.toSeconds(), TimeUnit.SECONDS);
            return false;
        } catch (InterruptedException kept) {
            return true;
        }
    }
}
