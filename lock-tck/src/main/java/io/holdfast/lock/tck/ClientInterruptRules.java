package io.holdfast.lock.tck;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.Assertions;

/** Rule 7.4, waits of a client that are interrupted. */
interface ClientInterruptRules extends Rules {

    @LockRule("7.4")
    default void rule74_anInterruptedWaitLeavesNoClaim() throws InterruptedException {
        String name = kit().newName();
        LockClient client = kit().client();
        LockClient other = kit().client();
        LockHandle held = client.lock(name, kit().lasting()).acquire();
        for (LockClient waiting : List.of(client, other)) {
            for (boolean asView : new boolean[] {false, true}) {
                Call<Boolean> waiter = Call.start(() -> waitFor(waiting.lock(name, kit().lasting()), asView));
                waiter.onceItWaits().interrupt();
                waiter.mustFailWith(InterruptedException.class, "a waiting thread that is interrupted stops waiting");
            }
        }
        held.release();

        // The interrupt may have broken an attempt off, whose claim the client then withdraws in the background.
        kit().visitor(name).takeOver(Pace.WOKEN_WITHIN, "the holder has left and every wait was interrupted");
    }

    @LockRule("7.4")
    default void rule74_anInterruptedThreadAcquiresNothing() {
        String name = kit().newName();
        DistributedLock lock = kit().client().lock(name, kit().lasting());
        for (boolean asView : new boolean[] {false, true}) {
            Call.start(() -> {
                        Thread.currentThread().interrupt();
                        return waitFor(lock, asView);
                    })
                    .mustFailWith(
                            InterruptedException.class, "the thread was interrupted before it asked for the lock");
        }
        kit().visitor(name).mustBeGranted("an interrupted acquire holds nothing");
    }

    private static boolean waitFor(DistributedLock lock, boolean asView) throws InterruptedException {
        if (asView) {
            lock.asLock().lockInterruptibly();
            return true;
        }
        return lock.acquire().isHeld();
    }

    @LockRule("7.4")
    default void rule74_anUninterruptibleWaitKeepsTheInterrupt() throws InterruptedException {
        String name = kit().newName();
        Lock view = kit().client().lock(name, kit().lasting()).asLock();
        LockHandle held = kit().client().lock(name, kit().lasting()).acquire();
        AtomicBoolean flag = new AtomicBoolean();
        Call<Boolean> waiter = Call.start(() -> {
            view.lock();
            try {
                flag.set(Thread.currentThread().isInterrupted());
            } finally {
                view.unlock();
            }
            return true;
        });
        waiter.onceItWaits().interrupt();
        held.release();

        Assertions.assertTrue(waiter.result(), "the lock was released");
        Assertions.assertTrue(flag.get(), "the interrupt must not be swallowed");
    }
}
