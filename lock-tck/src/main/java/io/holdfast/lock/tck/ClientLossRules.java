package io.holdfast.lock.tck;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LossCause;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Assertions;

/** Chapter 8, loss, asked of a client. */
interface ClientLossRules extends Rules {

    @LockRule({"8.1", "8.5"})
    @Needs(hooks = Hook.REMOVER)
    default void rule85_theNextRenewalReportsARemovedRecord() throws InterruptedException {
        String name = kit().newName();
        EventLog log = new EventLog();
        LockHandle held = kit().client(log).lock(name, kit().shortOptions()).acquire();
        CompletableFuture<LossCause> lost = held.lost().toCompletableFuture();
        kit().remove(name);

        Duration renewalPeriod = kit().lease().dividedBy(2);
        Assertions.assertTrue(
                Pace.within(renewalPeriod, lost::isDone), "the loss must be reported within one period of renewal");
        Assertions.assertEquals(LossCause.TAKEN_OVER, Call.resultOf(lost), "the cause");
        Assertions.assertFalse(held.isHeld(), "a lost lock is not held");
        Assertions.assertEquals(Duration.ZERO, held.remaining(), "a lost lock is not held");
        Assertions.assertThrows(
                LockLostException.class, () -> held.requireRemaining(Duration.ZERO), "a lost lock is not held");
        Assertions.assertTrue(Pace.within(kit().lease(), () -> log.count("lost") > 0), "the listeners are told");
        Assertions.assertFalse(held.release(), "a lost lock cannot be released");
        Assertions.assertEquals(1, log.count("lost"), "a lock is lost once");
        Assertions.assertEquals(0, log.count("released"), "a lost lock is not released");
    }

    @LockRule("8.1")
    @Needs(hooks = Hook.REMOVER)
    default void rule81_closingALostHandleThrowsAndNeverHidesTheExceptionOfTheBody() throws InterruptedException {
        String name = kit().newName();
        LockClient client = kit().client();
        LockHandle held = client.lock(name, kit().shortOptions()).acquire();
        kit().remove(name);
        Assertions.assertTrue(Pace.within(kit().lease(), () -> !held.isHeld()), "the loss is reported to the holder");
        Assertions.assertThrows(LockLostException.class, held::close, "the work may have overlapped another holder's");

        IllegalStateException ofBody = Assertions.assertThrows(IllegalStateException.class, () -> {
            try (LockHandle body = client.lock(name, kit().shortOptions()).acquire()) {
                kit().remove(name);
                Assertions.assertTrue(
                        Pace.within(kit().lease(), () -> !body.isHeld()), "the loss is reported to the holder");
                throw new IllegalStateException("the body failed");
            }
        });
        Assertions.assertInstanceOf(
                LockLostException.class, ofBody.getSuppressed()[0], "the loss is a suppressed exception");
    }

    @LockRule({"8.1", "8.2"})
    default void rule82_isHeldIsNeverTrueAfterTheDeadline() throws InterruptedException {
        LockOptions unrenewed = kit().shortOptions().withoutRenewal();
        LockHandle held = kit().client().lock(kit().newName(), unrenewed).acquire();
        long before = Pace.now();
        Duration life = held.remaining();
        long acquired = Pace.now();
        for (long asked = Pace.now(); held.isHeld(); asked = Pace.now()) {
            Duration age = Duration.ofNanos(asked - acquired);
            Assertions.assertTrue(
                    age.compareTo(life) < 0, () -> "a lock with " + life + " left was still held after " + age);
            Pace.pass(Duration.ofMillis(2));
        }
        Assertions.assertTrue(
                Pace.since(before).compareTo(life) >= 0,
                () -> "a lock with " + life + " left was lost before that time");
        Assertions.assertEquals(Duration.ZERO, held.remaining(), "the lease has ended");
        Assertions.assertTrue(
                Pace.within(kit().lease(), held.lost().toCompletableFuture()::isDone),
                "the holder must learn of its loss");
        mustBeTheCause(
                LossCause.EXPIRED, Call.resultOf(held.lost().toCompletableFuture()), "nobody has renewed the lease");
        Assertions.assertFalse(held.release(), "the lease has ended");
    }

    @LockRule("8.3")
    default void rule83_nothingIsLostAfterARelease() throws InterruptedException {
        EventLog log = new EventLog();
        LockClient client = kit().client(log);
        LockHandle held = client.lock(kit().newName(), kit().shortOptions()).acquire();
        CompletableFuture<LossCause> lost = held.lost().toCompletableFuture();
        Assertions.assertTrue(held.release(), "the lock is held");
        Pace.pass(kit().longestLife().plus(kit().lease().dividedBy(2)));
        client.close();

        Assertions.assertFalse(lost.isDone(), "a lock that was given back cannot be lost");
        Assertions.assertFalse(held.lost().toCompletableFuture().isDone(), "a lock that was given back cannot be lost");
        Assertions.assertEquals(0, log.count("lost"), "a lock that was given back cannot be lost");
    }

    @LockRule("8.4")
    default void rule84_aLockWithoutRenewalsIsLostAtItsDeadline() throws InterruptedException {
        Interposer network = new Interposer(kit().provider());
        LockClient client = kit().clientOver(network);
        network.renewalsTravel(Interposer.Network.REQUEST_LOST);
        LockHandle held = client.lock(kit().newName(), kit().shortOptions()).acquire();
        // In this order: the measured time must include what passes between the two.
        long acquired = Pace.now();
        Duration life = held.remaining();
        Pace.Limit limit = new Pace.Limit(life);
        LossCause cause = Call.resultOf(held.lost().toCompletableFuture());

        Assertions.assertFalse(limit.isOver(), () -> "the loss must be reported at the deadline, within " + limit);
        Assertions.assertTrue(
                Pace.since(acquired).compareTo(life) >= 0,
                "failed renewals leave the earlier deadline, which had not come");
        mustBeTheCause(LossCause.STORE_LOST, cause, "no renewal was answered");
        Assertions.assertFalse(held.isHeld(), "a lost lock is not held");
    }

    /** Where a session takes the place of the lease, the store may end it, and say so, at the moment of the deadline. */
    private void mustBeTheCause(LossCause expected, LossCause seen, String because) {
        boolean bySession =
                seen == LossCause.SESSION_ENDED && Capability.LEASED_PER_SESSION.isMetBy(kit().capabilities());
        Assertions.assertEquals(bySession ? LossCause.SESSION_ENDED : expected, seen, because);
    }

    @LockRule({"3.4", "8.1"})
    default void rule34_aLockWithADroppedHandleIsNotRenewed() {
        WeakReference<Object> probe = new WeakReference<>(new Object());
        kit().premise(() -> isCollected(probe), "System.gc() collects: the JVM must not run with DisableExplicitGC");
        EventLog log = new EventLog();
        acquireAndForget(kit().client(log).lock(kit().newName(), kit().shortOptions()));
        Pace.Limit limit = new Pace.Limit(kit().lease().multipliedBy(2));
        while (log.count("lost") == 0) {
            Assertions.assertFalse(
                    limit.isOver(), () -> "a lock without a reachable handle must be lost within " + limit);
            // Only the garbage collector finds that the handle is unreachable.
            System.gc();
            Pace.pass(kit().lease().dividedBy(4));
        }
    }

    private static boolean isCollected(WeakReference<Object> probe) {
        System.gc();
        return probe.get() == null;
    }

    /** A separate method, so that no variable keeps the handle. */
    private static void acquireAndForget(DistributedLock lock) {
        Assertions.assertTrue(lock.tryAcquire().isPresent(), "nobody has the lock");
    }

    @LockRule({"5.5", "8.1"})
    default void rule81_closingTheClientLosesItsLocks() throws InterruptedException {
        LockClient client = kit().client();
        LockHandle held = client.lock(kit().newName(), kit().shortOptions()).acquire();
        client.close();

        Assertions.assertEquals(
                LossCause.CLIENT_CLOSED, Call.resultOf(held.lost().toCompletableFuture()), "the cause");
        Assertions.assertFalse(held.isHeld(), "a lost lock is not held");
    }
}
