package io.holdfast.lock.core.local;

import io.holdfast.lock.LossCause;
import io.holdfast.lock.core.hold.Hold;
import io.holdfast.lock.spi.ClaimSignals;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Passes a provider's signals on: wake-ups to the waiter, and after the grant the loss to the hold. The provider keeps it for
 * as long as the hold lasts, so it lets go of the waiter, whose result is the application's handle.
 */
final class Signals implements ClaimSignals {

    private final ReentrantLock mutex = new ReentrantLock();

    // Guarded by the mutex.
    private @Nullable Runnable wakeUp;
    private @Nullable Hold hold;
    private @Nullable LossCause earlyLoss;

    Signals(Runnable wakeUp) {
        this.wakeUp = wakeUp;
    }

    @Override
    public void mayBeFree() {
        Runnable waiter;
        mutex.lock();
        try {
            waiter = wakeUp;
        } finally {
            mutex.unlock();
        }
        if (waiter != null) {
            waiter.run();
        }
    }

    @Override
    public void mayEndSooner() {
        Hold granted;
        mutex.lock();
        try {
            granted = hold;
        } finally {
            mutex.unlock();
        }
        if (granted != null) {
            granted.mayEndSooner();
        }
    }

    @Override
    public void lost(LossCause cause) {
        Hold granted;
        mutex.lock();
        try {
            granted = hold;
            earlyLoss = cause;
        } finally {
            mutex.unlock();
        }
        if (granted != null) {
            granted.lose(cause);
        }
    }

    /** The claim was granted. Returns the loss that was signalled before the grant was known. */
    @Nullable
    LossCause granted(Hold granted) {
        mutex.lock();
        try {
            wakeUp = null;
            hold = granted;
            return earlyLoss;
        } finally {
            mutex.unlock();
        }
    }
}
