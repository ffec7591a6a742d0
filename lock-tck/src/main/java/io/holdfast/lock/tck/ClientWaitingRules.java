package io.holdfast.lock.tck;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockCapabilities.WakeUp;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Timeout;

/** Chapter 7, waiting, asked of a client; {@link ClientInterruptRules} has the interrupts. */
interface ClientWaitingRules extends Rules {

    /** How long a waiter may sleep after a release. */
    private Duration wakeUp() {
        return isPushed() ? Pace.WOKEN_WITHIN : Pace.POLLS_WITHIN;
    }

    /** How long a waiter may sleep after the end of a lease, which the store may have told it. */
    private Duration lookUp() {
        return isPushed() ? Duration.ZERO : Pace.POLLS_WITHIN;
    }

    private boolean isPushed() {
        return kit().capabilities().wakeUp() == WakeUp.PUSH;
    }

    @LockRule("7.1")
    default void rule71_aLimitedWaitEndsInTime() throws InterruptedException {
        String name = kit().newName();
        Duration wait = kit().lease().dividedBy(2);
        LockClient client = kit().client();
        LockClient other = kit().client();
        try (LockHandle held = client.lock(name, kit().lasting()).acquire()) {
            for (LockClient waiting : List.of(client, other)) {
                Call.elsewhere(() -> {
                    DistributedLock lock = waiting.lock(name);
                    Pace.mustEndWithin(wait, "tryAcquire(maxWait)", () -> {
                        long start = Pace.now();
                        Assertions.assertEquals(
                                Optional.empty(), lock.tryAcquire(wait), "the lock was held all the time");
                        Assertions.assertTrue(Pace.since(start).compareTo(wait) >= 0, "it gave up before its deadline");
                    });
                    Pace.mustEndWithin(
                            wait,
                            "tryAcquireAsync(maxWait)",
                            () -> Assertions.assertEquals(
                                    Optional.empty(),
                                    Call.resultOf(lock.tryAcquireAsync(wait)),
                                    "the lock was held all the time"));
                    return lock;
                });
            }
            Assertions.assertTrue(held.isHeld(), "nobody has released it");
        }
    }

    @LockRule("7.1")
    default void rule71_aWaitOfZeroOrLessIsOneAttempt() throws Exception {
        String name = kit().newName();
        LockClient other = kit().client();
        for (Duration none : new Duration[] {Duration.ZERO, Duration.ofSeconds(-1)}) {
            try (LockHandle held = kit().client().lock(name, kit().lasting()).acquire()) {
                Pace.mustEndWithin(
                        Duration.ZERO,
                        "a wait of " + none,
                        () -> Assertions.assertEquals(
                                Optional.empty(), other.lock(name).tryAcquire(none), "the lock is held"));
                Assertions.assertTrue(held.isHeld(), "nobody has released it");
            }
            other.lock(name)
                    .tryAcquire(none)
                    .orElseThrow(
                            () -> new AssertionError("the lock is free, and a wait of " + none + " is one attempt"))
                    .close();
        }
    }

    @LockRule("7.2")
    default void rule72_aWaiterGetsTheLockAfterItsRelease() throws InterruptedException {
        String name = kit().newName();
        LockClient client = kit().client();
        LockClient other = kit().client();
        for (LockClient waiting : List.of(client, other, other)) {
            LockHandle held = client.lock(name, kit().lasting()).acquire();
            Call<LockHandle> waiter = Call.start(
                            () -> waiting.lock(name, kit().lasting()).acquire())
                    .onceItWaits();
            held.release();
            Assertions.assertTrue(
                    Pace.within(wakeUp(), waiter::isDone),
                    () -> "with wake-up " + kit().capabilities().wakeUp() + " a waiter must have the lock within "
                            + wakeUp().plus(Pace.SLACK).toMillis() + " ms of its release");
            waiter.result().close();
        }
    }

    @LockRule("7.2")
    default void rule72_anAsynchronousWaiterGetsTheLockAfterItsRelease() throws InterruptedException {
        String name = kit().newName();
        EventLog log = new EventLog();
        LockClient other = kit().client(log);
        LockHandle held = kit().client().lock(name, kit().lasting()).acquire();
        CompletableFuture<LockHandle> waiter = other.lock(name, kit().lasting()).acquireAsync();
        kit().premise(() -> log.count("contended") > 0, "somebody else holds the lock");
        held.release();

        Assertions.assertTrue(Pace.within(wakeUp(), waiter::isDone), "the lock was released");
        Call.resultOf(waiter).close();
    }

    @LockRule("7.3")
    default void rule73_aWaiterGetsTheLockWhenTheDeadHoldersLeaseEnds() throws InterruptedException {
        String name = kit().newName();
        LockClient client = kit().client();
        DrivenClaim dead = kit().claim(name).makeGranted();
        dead.abandon();
        Call<LockHandle> waiter = Call.start(() -> client.lock(name).acquire());

        Assertions.assertTrue(
                Pace.within(kit().longestLife().plus(lookUp()), waiter::isDone),
                "a waiter must have the lock when the lease of a holder that died has ended");
        waiter.result().close();
    }

    @LockRule({"6.1", "7.3"})
    @Needs(hooks = Hook.STOPPABLE_PROCESSES)
    @Timeout(value = ProcessRules.TIME_OUT, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    default void rule73_aWaiterGetsTheLockOfAKilledProcessWhenItsLeaseEnds() throws Exception {
        kit().reliesOnPace();
        String name = kit().newName();
        LockClient client = kit().client();
        List<FencingToken> tokens = new ArrayList<>();
        client.lock(name).tryAcquire().ifPresent(before -> noteAndRelease(before, tokens));
        try (HolderProcess holder = HolderProcess.start(kit().harness(), name, kit().lease())) {
            holder.token().ifPresent(tokens::add);
            Call<LockHandle> waiter = Call.start(() -> client.lock(name).acquire());
            Pace.pass(kit().longestLife().plus(kit().lease()));
            if (waiter.isDone()) {
                // It may have stood still for longer than its lease while this JVM did not.
                throw new InconclusiveError("the other process did not renew its lease in time");
            }
            holder.kill();

            Assertions.assertTrue(
                    Pace.within(kit().longestLife().plus(lookUp()), waiter::isDone),
                    "a waiter must have the lock when the lease of a holder that was killed has ended");
            noteAndRelease(waiter.result(), tokens);
        }
        for (int i = 1; i < tokens.size(); i++) {
            Tokens.mustBeNewer(
                    tokens.get(i).value(),
                    tokens.get(i - 1).value(),
                    "this process, another one and this one again were given " + tokens);
        }
    }

    private void noteAndRelease(LockHandle held, List<FencingToken> tokens) {
        if (Capability.FENCED.isMetBy(kit().capabilities())) {
            tokens.add(held.fencingToken());
        }
        held.release();
    }

    @LockRule("7.5")
    default void rule75_waitersOfOneClientAreServedInOrder() {
        LockClient client = kit().client();
        mustBeServedInOrder(List.of(client, client, client, client), List.of());
    }

    @LockRule("7.5")
    @Needs(Capability.ORDERED)
    default void rule75_waitingClientsAreServedInOrder() {
        List<EventLog> logs = List.of(new EventLog(), new EventLog(), new EventLog());
        mustBeServedInOrder(logs.stream().map(log -> kit().client(log)).toList(), logs);
    }

    /**
     * Lets clients wait for a lock one after the other. A claim is queued when it is contended, and a local waiter soon after.
     */
    private void mustBeServedInOrder(List<LockClient> clients, List<EventLog> logs) {
        kit().reliesOnPace();
        String name = kit().newName();
        DrivenClaim holder = kit().claim(name).lasting().makeGranted();
        List<Integer> served = new CopyOnWriteArrayList<>();
        List<Call<Integer>> waiters = new ArrayList<>();
        for (int i = 0; i < clients.size(); i++) {
            int place = i;
            waiters.add(Call.start(() -> {
                        clients.get(place).lock(name, kit().lasting()).run(() -> served.add(place));
                        return place;
                    })
                    .onceItWaits());
            // The listeners hear of the contention after the claim is queued.
            kit().premise(() -> logs.isEmpty() || logs.get(place).count("contended") > 0, "the claim is queued");
            Pace.pass(Duration.ofMillis(100));
        }
        holder.release();
        waiters.forEach(Call::result);
        List<Integer> inOrder = served.stream().sorted().toList();
        Assertions.assertEquals(inOrder, served, "waiters must be served in the order in which they came");
    }

    @LockRule("7.6")
    default void rule76_aWaitThatTimedOutNeverBecomesAHold() throws InterruptedException {
        String name = kit().newName();
        LockClient client = kit().client();
        LockHandle held = kit().client().lock(name, kit().lasting()).acquire();
        Assertions.assertEquals(
                Optional.empty(),
                client.lock(name, kit().lasting()).tryAcquire(Duration.ofMillis(50)),
                "the lock is held");
        held.release();
        Pace.pass(Duration.ofMillis(100));

        kit().visitor(name).mustBeGranted("there are no waiters");
    }
}
