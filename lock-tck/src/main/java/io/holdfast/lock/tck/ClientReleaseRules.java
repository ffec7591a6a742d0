package io.holdfast.lock.tck;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockCapabilities.Fencing;
import io.holdfast.lock.LockCapabilities.Ordering;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.UnsupportedCapabilityException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.Assertions;

/** Chapters 5 and 6, owner-safe release and fencing, asked of a client. */
interface ClientReleaseRules extends Rules {

    @LockRule({"5.1", "5.3"})
    default void rule53_aHandleReleasesOnce() throws InterruptedException {
        String name = kit().newName();
        LockClient client = kit().client();
        LockHandle first = client.lock(name).acquire();
        Assertions.assertTrue(first.release(), "the lock is held");
        Assertions.assertFalse(first.release(), "the handle was released before");
        try (LockHandle second = client.lock(name).acquire()) {
            Assertions.assertFalse(first.release(), "the handle was released before");
            Assertions.assertDoesNotThrow(first::close, "closing a handle that was released");
            Assertions.assertTrue(second.isHeld(), "a released handle frees no other hold");
            kit().visitor(name).mustBeContended("the second handle was not released");
        }
    }

    @LockRule({"5.1", "5.3"})
    default void rule53_unlockByAThreadThatDoesNotHoldTheLockThrows() {
        String name = kit().newName();
        LockClient client = kit().client();
        Lock view = client.lock(name).asLock();
        Assertions.assertThrows(IllegalMonitorStateException.class, view::unlock, "nobody holds the lock");
        view.lock();
        try {
            Call.running(view::unlock)
                    .mustFailWith(IllegalMonitorStateException.class, "another thread holds the lock");
            Assertions.assertEquals(Optional.empty(), kit().client().lock(name).tryAcquire(), "the lock is still held");
        } finally {
            view.unlock();
        }
        Assertions.assertThrows(IllegalMonitorStateException.class, view::unlock, "the thread has unlocked it before");
    }

    @LockRule({"5.2", "5.3"})
    default void rule52_anExpiredHandleReportsItAndFreesNoOtherHold() throws Exception {
        String name = kit().newName();
        LockOptions unrenewed = kit().shortOptions().withoutRenewal();
        LockClient client = kit().client();
        LockHandle released = client.lock(name, unrenewed).acquire();
        ClaimSpec spec = kit().claim(name).lasting();
        DrivenClaim next = spec.make();
        next.takeOver(kit().longestLife(), "the first holder's lease has ended");
        Assertions.assertFalse(released.release(), "the lease has ended");
        kit().visitor(name).mustBeContended("the next holder has not released the lock");
        next.release();

        // Its session, if it has one, has just ended.
        LockHandle closed = Trouble.answered(
                "an acquire", () -> client.lock(name, unrenewed).acquire());
        spec.make().takeOver(kit().longestLife(), "the holder's lease has ended");
        Assertions.assertThrows(LockLostException.class, closed::close, "the lease has ended");
        Assertions.assertDoesNotThrow(closed::close, "closing again does nothing");
        kit().visitor(name).mustBeContended("the next holder has not released the lock");
    }

    @LockRule("5.4")
    default void rule54_aReleasedLockIsFreeAtOnce() throws InterruptedException {
        String name = kit().newName();
        LockClient[] clients = {kit().client(), kit().client()};
        for (int i = 0; i < 10; i++) {
            clients[i % 2]
                    .lock(name, kit().lasting())
                    .tryAcquire()
                    .orElseThrow(() -> new AssertionError("the holder before has released the lock"))
                    .close();
        }
    }

    @LockRule("5.5")
    default void rule55_closingAClientReleasesItsOwnHoldsOnly() throws InterruptedException {
        String mine = kit().newName();
        String theirs = kit().newName();
        LockClient client = kit().client();
        LockClient other = kit().client();
        LockHandle closing = client.lock(mine, kit().lasting()).acquire();
        LockHandle staying = other.lock(theirs, kit().lasting()).acquire();
        Assertions.assertEquals(Optional.empty(), client.lock(theirs).tryAcquire(), "the other client holds it");

        client.close();
        Assertions.assertFalse(closing.isHeld(), "its client was closed");
        Assertions.assertTrue(staying.isHeld(), "only the other client was closed");
        kit().visitor(theirs).mustBeContended("only the other client was closed");
        kit().visitor(mine).mustBeGranted("the client that held it was closed");
        staying.release();
    }

    @LockRule("5.6")
    default void rule56_aGrantWhoseReplyIsLostIsGivenBack() {
        String name = kit().newName();
        Interposer network = new Interposer(kit().provider());
        LockClient client = kit().clientOver(network);
        network.attemptsTravel(Interposer.Network.REPLY_LOST);
        Assertions.assertThrows(
                LockStoreException.class,
                () -> client.lock(name, kit().lasting()).tryAcquire(),
                "the reply was lost");

        kit().claim(name)
                .make()
                .takeOver(Duration.ZERO, "the claim whose outcome was unknown is released by the engine");
    }

    @LockRule({"5.6", "7.6"})
    default void rule56_aCancelledAcquireIsGivenBack() throws InterruptedException {
        String name = kit().newName();
        EventLog log = new EventLog();
        LockClient client = kit().client(log);
        LockHandle held = kit().client().lock(name, kit().lasting()).acquire();
        CompletableFuture<LockHandle> waiting =
                client.lock(name, kit().lasting()).acquireAsync();
        kit().premise(() -> log.count("contended") > 0, "somebody else holds the lock");
        waiting.cancel(true);
        held.release();

        DrivenClaim next = kit().claim(name).lasting().make();
        next.takeOver(Duration.ZERO, "the holder has left, and the wait for it was cancelled");
        Pace.pass(kit().lease());
        next.mustRenew("an abandoned wait never becomes a hold");
    }

    @LockRule("6.1")
    @Needs(Capability.FENCED)
    default void rule61_eachGrantHasAGreaterTokenThanAllBefore() throws InterruptedException {
        String name = kit().newName();
        LockClient[] clients = {kit().client(), kit().client()};
        FencingToken last = new FencingToken(1);
        for (int i = 0; i < 10; i++) {
            try (LockHandle held = clients[i % 2].lock(name).acquire()) {
                FencingToken next = held.fencingToken();
                FencingToken before = last;
                Assertions.assertTrue(
                        i == 0 || next.isNewerThan(before), () -> "the token " + next + " came after " + before);
                last = next;
            }
        }
    }

    @LockRule("6.2")
    @Needs(Capability.FENCED)
    default void rule62_theTokenOfAHandleNeverChanges() throws InterruptedException {
        EventLog log = new EventLog();
        LockHandle held =
                kit().client(log).lock(kit().newName(), kit().shortOptions()).acquire();
        FencingToken granted = held.fencingToken();
        Assertions.assertTrue(held.renew(), "the lock is held");
        kit().premise(() -> log.count("renewed") > 1, "the engine renews the lease");
        Assertions.assertEquals(granted, held.fencingToken(), "renewals do not change the token");
        held.release();
        Assertions.assertEquals(granted, held.fencingToken(), "the token is fixed for as long as the handle lives");
    }

    @LockRule("6.5")
    @Needs(Capability.UNFENCED)
    default void rule65_fencingTokenThrowsWithoutFencing() throws InterruptedException {
        String name = kit().newName();
        LockHandle held = kit().client().lock(name).acquire();

        Assertions.assertThrows(UnsupportedCapabilityException.class, held::fencingToken, "the provider has no tokens");
        Assertions.assertTrue(held.release(), "nothing was changed by asking");
    }

    @LockRule("6.5")
    @Needs(Capability.LESS_THAN_STRICTLY_FENCED)
    default void rule65_aStrongerFencingThanDeclaredIsRefusedWhenTheLockIsMade() {
        LockClient client = kit().client();
        String name = kit().newName();
        Fencing declared = kit().capabilities().fencing();
        for (Fencing required : Fencing.values()) {
            LockOptions options = kit().shortOptions().requireFencing(required);
            if (required.compareTo(declared) <= 0) {
                Assertions.assertDoesNotThrow(() -> client.lock(name, options), () -> required + " is declared");
            } else {
                Assertions.assertThrows(
                        UnsupportedCapabilityException.class,
                        () -> client.lock(name, options),
                        () -> required + " is more than " + declared);
            }
        }
        kit().visitor(name).mustBeGranted("a requirement that is refused changes nothing");
    }

    @LockRule("6.5")
    @Needs(Capability.UNORDERED)
    default void rule65_anUndeclaredOrderingIsRefusedWhenTheLockIsMade() {
        LockClient client = kit().client();

        Assertions.assertThrows(
                UnsupportedCapabilityException.class,
                () -> client.lock(kit().newName(), kit().shortOptions().requireOrdering(Ordering.FIFO)),
                "the provider declares ordering NONE");
    }
}
