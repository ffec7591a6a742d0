package io.holdfast.lock.tck;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.faults.Fault;
import io.holdfast.lock.tck.faults.Faults;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.junit.jupiter.api.Assertions;

/** What a client keeps under faults of its store and of the way to it. */
interface ClientFaultRules extends Rules {

    /** How often a connection is made to hang, until it is the right one. */
    int STALLS = 3;

    @LockRule({"8.1", "8.2", "8.4", "9.5"})
    @Needs(hooks = Hook.PAUSE)
    default void rule84_aLockIsLostAtItsDeadlineWhileTheStoreIsPaused() throws Exception {
        Fault pause = faults().pause().orElseThrow();
        LockClient client = kit().client();
        LockClient other = kit().client();
        other.ping();
        String name = kit().newName();
        LockHandle held = client.lock(name, kit().shortOptions()).acquire();
        Trouble.during(pause, () -> {
            // The whole lease: the reply to a renewal may have left the store just before.
            Pace.Limit limit = new Pace.Limit(kit().lease());
            LossCause unused = Call.resultOf(held.lost().toCompletableFuture());
            Assertions.assertFalse(limit.isOver(), () -> "the loss must be reported at the deadline, within " + limit);
            Assertions.assertFalse(held.isHeld(), "a lost lock is not held");
            Pace.pass(kit().longestLife());
        });
        LockHandle next = Trouble.answered(
                "an acquire",
                () -> other.lock(name, kit().lasting())
                        .tryAcquire(kit().longestLife())
                        .orElseThrow(() -> new AssertionError("the lock was lost, and nobody holds it")));
        mustBeNewer(next, held);
        Assertions.assertFalse(held.isHeld(), "a lost lock stays lost");
        Assertions.assertFalse(held.release(), "a lost lock cannot be released");
        Assertions.assertTrue(next.renew() && next.release(), "only another hold was lost");
        LockHandle again = Trouble.answered(
                "an acquire", () -> client.lock(name, kit().lasting()).acquire());
        Assertions.assertTrue(again.release(), "everything works again, without a restart");
    }

    @LockRule({"5.6", "7.6", "9.5"})
    @Needs(hooks = Hook.PAUSE)
    default void rule56_anAcquireThatFailedDuringAPauseLeavesNoLock() throws Exception {
        Fault pause = faults().pause().orElseThrow();
        LockClient client = kit().client();
        LockClient other = kit().client();
        client.lock(kit().newName()).acquire().close();
        String name = kit().newName();
        Trouble.during(pause, () -> {
            Call<LockHandle> acquire = Call.start(() -> client.lock(name).acquire());
            Trouble.mustEnd(acquire, "an acquire");
            acquire.mustFailWith(LockStoreException.class, "the store does not answer");
        });

        LockHandle next = Trouble.answered(
                "an acquire",
                () -> other.lock(name)
                        .tryAcquire(Pace.BACK_WITHIN)
                        .orElseThrow(
                                () -> new AssertionError("an acquire that has failed must not hold the lock later")));
        Assertions.assertTrue(next.release(), "it holds the lock");
    }

    @LockRule("3.6")
    @Needs(hooks = Hook.STALLED_CONNECTION)
    default void rule36_aStalledConnectionDelaysNoOtherRenewal() throws Exception {
        Fault stall = faults().stalledConnection().orElseThrow();
        for (int tries = 1; !areKeptBesideAStalledAcquire(stall); tries++) {
            if (tries == STALLS) {
                throw new InconclusiveError(
                        "in " + STALLS + " tries the connection that hung was not the one of the acquire");
            }
        }
    }

    /** Returns false if another connection hung than that of the acquire, which may have been one of the renewals. */
    private boolean areKeptBesideAStalledAcquire(Fault stall) throws Exception {
        LockClient client = kit().client();
        List<LockHandle> held = new ArrayList<>();
        // A client may divide its locks among a few connections: only some of the locks wait for the one that hangs.
        for (int i = 0; i < 16; i++) {
            held.add(client.lock(kit().newName(), kit().shortOptions()).acquire());
        }
        String name = kit().newName();
        boolean[] stuck = {false};
        Trouble.during(stall, () -> {
            Call<Boolean> acquire =
                    Call.start(() -> Call.isAnswered(() -> client.lock(name).acquire()));
            Pace.pass(kit().longestLife().multipliedBy(2));
            stuck[0] = !(acquire.isDone() && acquire.result());
            if (stuck[0]) {
                for (LockHandle handle : held) {
                    Assertions.assertTrue(
                            handle.isHeld(), "one connection hangs, and not those of other locks' renewals");
                }
            }
        });
        if (!stuck[0]) {
            // Otherwise its renewals would be the next to hang.
            client.close();
            return false;
        }
        for (LockHandle handle : held) {
            Assertions.assertTrue(handle.release(), "the lock was renewed");
        }
        return true;
    }

    @LockRule({"2.5", "3.4"})
    @Needs(hooks = Hook.SLOW_NETWORK)
    default void rule34_aHoldIsKeptOnASlowNetwork() throws Exception {
        Function<Duration, Fault> slow = faults().slowNetwork().orElseThrow();
        LockClient client = kit().client();
        client.lock(kit().newName()).acquire().close();
        Duration delay = kit().lateness();
        while (!isKeptWithDelay(client, slow, delay)) {
            // An acquire, or a renewal, may be several requests, one after the other.
            delay = delay.dividedBy(2);
        }
    }

    /**
     * Returns false if already the acquire took a third of a lease, which says nothing: a renewal that begins after a third and
     * takes as long would come close to the end of the lease. If it did so with next to no delay, the machine or the store is too
     * slow to tell.
     */
    private boolean isKeptWithDelay(LockClient client, Function<Duration, Fault> slow, Duration delay)
            throws Exception {
        boolean isLeast = delay.compareTo(kit().lease().dividedBy(50)) < 0;
        boolean[] acquired = {false};
        Trouble.during(slow.apply(delay), () -> {
            Optional<LockHandle> soon = acquiredSoon(client, isLeast);
            if (soon.isEmpty()) {
                return;
            }
            LockHandle held = soon.get();
            acquired[0] = true;
            Duration left = held.remaining();
            Assertions.assertTrue(
                    left.plus(delay).compareTo(kit().lease()) <= 0,
                    () -> "the lease of " + kit().lease().toMillis()
                            + " ms counts from before the call, whose reply took " + delay.toMillis() + " ms: "
                            + left.toMillis() + " ms were left");
            Pace.pass(kit().longestLife().multipliedBy(2));
            boolean kept = held.isHeld() && held.release();
            if (!kept && kit().slowestCall().compareTo(kit().lease().dividedBy(2)) > 0) {
                throw tooSlowToTell("a call took " + kit().slowestCall().toMillis() + " ms");
            }
            Assertions.assertTrue(kept, "the client can reach the store, if slowly");
        });
        return acquired[0];
    }

    /**
     * Empty if the acquire took too long. If the replies were hardly delayed, that is inconclusive, and a loss without it a
     * failure.
     */
    private Optional<LockHandle> acquiredSoon(LockClient client, boolean hardlyDelayed) throws InterruptedException {
        Optional<LockHandle> held = Optional.empty();
        long began = Pace.now();
        try {
            held = Optional.of(
                    client.lock(kit().newName(), kit().shortOptions()).acquire());
        } catch (LockLostException late) {
            if (hardlyDelayed && !isLong(Pace.since(began))) {
                throw late;
            }
        }
        if (!isLong(Pace.since(began))) {
            return held;
        }
        if (held.isPresent()) {
            // Not by close(), which fails if the lock was lost.
            boolean unused = held.get().release();
        }
        if (hardlyDelayed) {
            throw tooSlowToTell("an acquire took a third of a lease, though replies were hardly delayed");
        }
        return Optional.empty();
    }

    private boolean isLong(Duration acquiring) {
        return acquiring.compareTo(kit().lease().dividedBy(3)) > 0;
    }

    private InconclusiveError tooSlowToTell(String what) {
        return InconclusiveError.tooSlow(
                what + ", with a lease of " + kit().lease().toMillis() + " ms");
    }

    @LockRule({"8.1", "8.5"})
    @Needs(hooks = Hook.SESSION_END)
    default void rule85_theEndOfTheSessionLosesItsLocks() throws Exception {
        LockProvider provider = kit().harness().open();
        EventLog log = new EventLog();
        LockClient client = kit().clientOver(provider, log);
        LockHandle held = client.lock(kit().newName(), kit().lasting()).acquire();
        CompletableFuture<LossCause> lost = held.lost().toCompletableFuture();
        LockClient other = kit().client();
        faults().sessionEnd().orElseThrow().accept(provider);

        LockHandle next = other.lock(held.name(), kit().lasting())
                .tryAcquire(kit().longestLife())
                .orElseThrow(() -> new AssertionError("the session of the holder has ended"));
        Assertions.assertTrue(Pace.within(kit().lease(), lost::isDone), "the holder must learn of its loss");
        Assertions.assertFalse(held.isHeld(), "a lost lock is not held");
        Assertions.assertTrue(Pace.within(kit().lease(), () -> log.count("lost") == 1), "the listeners are told once");
        mustBeNewer(next, held);
        Assertions.assertTrue(next.release(), "only the session of another client has ended");
        LockHandle again = Trouble.answered(
                "an acquire", () -> client.lock(held.name(), kit().lasting()).acquire());
        mustBeNewer(again, next);
        Assertions.assertTrue(again.release(), "everything works again, without a restart");
    }

    @LockRule({"8.5", "8.6"})
    @Needs(value = Capability.LEASED_PER_CLAIM, hooks = Hook.CLOCK_STEP)
    default void rule86_aLockWhoseLeaseWasEndedByTheStoresClockIsLostAtTheNextRenewal() throws Exception {
        Duration lease = kit().lease().multipliedBy(6);
        Fault step = faults().clockStep().orElseThrow().apply(lease.multipliedBy(4));
        LockClient client = kit().client();
        LockOptions options = kit().shortOptions().withLeaseTime(lease);
        LockHandle held = client.lock(kit().newName(), options).acquire();
        Trouble.during(step, () -> {
            Assertions.assertTrue(
                    Pace.within(lease.dividedBy(2), held.lost().toCompletableFuture()::isDone),
                    "the store's clock has ended the lease, so the next renewal, after a third of it, must tell");
            Assertions.assertFalse(held.isHeld(), "a lost lock is not held");
        });
    }

    @LockRule({"7.2", "9.5"})
    @Needs(value = Capability.LEASED_PER_CLAIM, hooks = Hook.CRASH)
    default void rule95_aWaiterGetsTheLockAfterACrashOfTheStore() throws Exception {
        Fault crash = faults().crash().orElseThrow();
        String name = kit().newName();
        LockOptions outlasting = kit().lasting().withLeaseTime(kit().veryLongLease());
        LockHandle held = OpenClaims.skippingIfRefused(
                () -> kit().client().lock(name, outlasting).tryAcquire().orElseThrow());
        LockClient other = kit().client();
        other.ping();
        Trouble.during(crash, () -> Assertions.assertTrue(held.isHeld(), "its lease has not ended"));
        Trouble.carriedOut("a ping", () -> other.ping());
        Assertions.assertTrue(Trouble.answered("a renewal", held::renew), "the store was killed and has its data");
        CompletableFuture<LockHandle> waiter = other.lock(name).acquireAsync();
        // The answer of a repeated release says nothing: the client repeats it too, and may have been first.
        boolean unused = Trouble.answered("a release", held::release);
        Assertions.assertFalse(held.lost().toCompletableFuture().isDone(), "it was held until its release");
        LockHandle next = Call.resultOf(waiter);

        mustBeNewer(next, held);
        Assertions.assertTrue(next.release(), "it holds the lock");
    }

    private void mustBeNewer(LockHandle later, LockHandle earlier) {
        if (Capability.FENCED.isMetBy(kit().capabilities())) {
            Assertions.assertTrue(
                    later.fencingToken().value() > earlier.fencingToken().value(),
                    () -> "the token of the later grant must be greater: " + later.fencingToken() + " after "
                            + earlier.fencingToken());
        }
    }

    private Faults faults() {
        return kit().harness().faults();
    }
}
