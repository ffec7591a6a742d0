package io.holdfast.lock.tck;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockClientClosedException;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.MultiLockHandle;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.Assertions;

/** Chapter 1, mutual exclusion, asked of a client. */
interface ClientExclusionRules extends Rules {

    @LockRule("1.1")
    default void rule11_onlyOneHoldsALockInOneClientOrInTwo() throws InterruptedException {
        String name = kit().newName();
        LockClient client = kit().client();
        LockClient other = kit().client();
        try (LockHandle held = client.lock(name).acquire()) {
            Assertions.assertTrue(held.isHeld(), "a lock that was just acquired is held");
            Assertions.assertEquals(Optional.empty(), other.lock(name).tryAcquire(), "another client holds the lock");
            Assertions.assertEquals(
                    Optional.empty(),
                    Call.elsewhere(() -> client.lock(name).tryAcquire()),
                    "another thread of the client holds the lock");
            Assertions.assertTrue(other.holder(name).isPresent(), "a held lock has a holder");
        }
        Assertions.assertTrue(other.holder(name).isEmpty(), "a free lock has no holder");
        other.lock(name)
                .tryAcquire()
                .orElseThrow(() -> new AssertionError("the lock is free"))
                .close();
    }

    @LockRule("1.1")
    default void rule11_noUpdateUnderTheLockIsLostHoweverManyContend() throws InterruptedException {
        String name = kit().newName();
        Hammer hammer = new Hammer(Duration.ofMillis(1200));
        for (int i = 0; i < 3; i++) {
            DistributedLock lock = kit().client().lock(name, kit().lasting());
            for (int thread = 0; thread < 2; thread++) {
                hammer.add(() -> {
                    while (!hammer.isOver()) {
                        try (LockHandle held = lock.acquire()) {
                            Assertions.assertTrue(held.isHeld(), "a lock that was just acquired is held");
                            hammer.strike();
                        }
                    }
                });
            }
        }

        hammer.run();

        hammer.mustHaveLostNoUpdate();
    }

    @LockRule("1.1")
    default void rule11_asLockExcludesOtherOwners() {
        String name = kit().newName();
        LockClient client = kit().client();
        LockClient other = kit().client();
        Lock view = client.lock(name).asLock();
        view.lock();
        try {
            Assertions.assertFalse(other.lock(name).asLock().tryLock(), "another client holds the lock");
            Assertions.assertFalse(
                    Call.elsewhere(() -> client.lock(name).asLock().tryLock()), "another thread holds the lock");
            Assertions.assertTrue(
                    client.lock(name).asLock().tryLock(), "all views of a lock are one lock, and reentrant");
            view.unlock();
            Assertions.assertFalse(other.lock(name).asLock().tryLock(), "the lock was unlocked once of twice");
        } finally {
            view.unlock();
        }
        Assertions.assertTrue(other.lock(name).asLock().tryLock(), "the lock was unlocked as often as locked");
        other.lock(name).asLock().unlock();
    }

    @LockRule("1.1")
    default void rule11_aLockOverSeveralNamesHoldsAllOfThemOrNone() throws InterruptedException {
        kit().reliesOnPace();
        String[] names = {kit().newName(), kit().newName(), kit().newName()};
        LockClient client = kit().client();
        LockClient other = kit().client();
        try (MultiLockHandle all = client.all(names).acquire()) {
            Assertions.assertEquals(3, all.handles().size(), "one handle for each name");
            for (String name : names) {
                Assertions.assertEquals(
                        Optional.empty(), other.lock(name).tryAcquire(), "the name is held with the others");
            }
        }
        try (LockHandle one = other.lock(names[1]).acquire()) {
            Assertions.assertEquals(Optional.empty(), client.all(names).tryAcquire(), "one of the names is held");
            for (String name : new String[] {names[0], names[2]}) {
                LockHandle free = other.lock(name)
                        .tryAcquire(kit().lease())
                        .orElseThrow(() -> new AssertionError("a lock over several names holds all or none"));
                free.close();
            }
            Assertions.assertTrue(one.isHeld(), "the other client keeps its lock");
        }
    }

    @LockRule("1.2")
    default void rule12_tryAcquireDoesNotWaitForTheHolderToLeave() throws Exception {
        String name = kit().newName();
        LockClient other = kit().client();
        try (LockHandle held = kit().client().lock(name, kit().lasting()).acquire()) {
            Pace.mustEndWithin(
                    Duration.ZERO,
                    "tryAcquire",
                    () -> Assertions.assertEquals(
                            Optional.empty(), other.lock(name).tryAcquire(), "the lock is held"));
            Assertions.assertTrue(held.isHeld(), "nobody has released it");
        }
    }

    @LockRule("1.4")
    default void rule14_namesThatNoStoreCanKeepApartAreRefused() {
        LockClient client = kit().client();
        for (String name : new String[] {"", "x".repeat(DistributedLock.MAX_NAME_LENGTH + 1), "half a pair \uD83D"}) {
            LockConfigurationException refused = Assertions.assertThrows(
                    LockConfigurationException.class, () -> client.lock(name), () -> TrickyNames.shown(name));
            Assertions.assertTrue(
                    refused.toString().contains("allowed"), () -> "the message must say what is allowed: " + refused);
        }
        Assertions.assertThrows(LockConfigurationException.class, client::all, "a lock over no name at all");
    }

    @LockRule("1.4")
    default void rule14_namesThatDifferInCaseAreDifferentLocks() throws InterruptedException {
        String name = kit().newName();
        try (LockHandle lower = kit().client().lock(kit().named(name + "-a")).acquire();
                LockHandle upper = kit().client()
                        .lock(kit().named(name + "-A"))
                        .tryAcquire()
                        .orElseThrow(() -> new AssertionError("names are case-sensitive"))) {
            Assertions.assertTrue(lower.isHeld() && upper.isHeld(), "two locks, two holders");
        }
    }

    @LockRule("1.6")
    default void rule16_aFailedAttemptThrowsAndIsNeitherContendedNorGranted() throws InterruptedException {
        Interposer network = new Interposer(kit().provider());
        DistributedLock lock = kit().clientOver(network).lock(kit().newName());
        network.attemptsTravel(Interposer.Network.REQUEST_LOST);

        Assertions.assertThrows(LockStoreException.class, lock::acquire, "acquire");
        Assertions.assertThrows(LockStoreException.class, lock::tryAcquire, "tryAcquire");
        Assertions.assertThrows(LockStoreException.class, () -> lock.tryAcquire(kit().lease()), "tryAcquire(maxWait)");
        Call.mustFailWith(lock.acquireAsync(), LockStoreException.class, "acquireAsync");
        Call.mustFailWith(lock.tryAcquireAsync(kit().lease()), LockStoreException.class, "tryAcquireAsync");
        Assertions.assertThrows(LockStoreException.class, lock.asLock()::lock, "asLock().lock");

        network.attemptsTravel(Interposer.Network.WELL);
        lock.acquire().close();
    }

    @LockRule("1.6")
    default void rule16_aClosedClientThrows() {
        LockClient client = kit().client();
        DistributedLock lock = client.lock(kit().newName());
        client.close();

        Assertions.assertThrows(LockClientClosedException.class, lock::tryAcquire, "the client is closed");
        Assertions.assertThrows(LockClientClosedException.class, lock::acquire, "the client is closed");
        Call.mustFailWith(lock.acquireAsync(), LockClientClosedException.class, "the client is closed");
    }

    @LockRule("1.8")
    @Needs(hooks = Hook.REMOVER)
    default void rule18_aRemovedLockIsGrantedAtOnce() throws InterruptedException {
        String name = kit().newName();
        LockClient client = kit().client();
        LockHandle removed = client.lock(name).acquire();
        kit().remove(name);

        LockHandle next = Call.elsewhere(() -> client.lock(name).tryAcquire())
                .orElseThrow(() -> new AssertionError("an operator has freed the lock, and the store alone decides"));
        Assertions.assertFalse(removed.release(), "the lock of the first handle was removed");
        Assertions.assertEquals(
                Optional.empty(), kit().client().lock(name).tryAcquire(), "the second handle holds the lock");
        next.close();
    }
}
