package io.holdfast.lock.core.local;

import io.holdfast.lock.LossCause;
import io.holdfast.lock.core.hold.Hold;
import io.holdfast.lock.spi.ClaimSignals;
import org.jspecify.annotations.Nullable;

/**
 * Passes a provider's signals on: wake-ups to the waiter, and after the grant the loss to the hold. The provider keeps it for
 * as long as the hold lasts, so it lets go of the waiter, whose result is the application's handle.
 */
final class Signals implements ClaimSignals {

    // Guarded by this, as there is one for each hold. Nothing blocks meanwhile.
    private @Nullable Runnable wakeUp;
    private @Nullable Hold hold;

    /** What was signalled since the latest attempt began, which may be granted already. */
    private @Nullable LossCause earlyLoss;

    private boolean mayEndSooner;

    Signals(Runnable wakeUp) {
        this.wakeUp = wakeUp;
    }

    @Override
    public void mayBeFree() {
        Runnable waiter;
        synchronized (this) {
            waiter = wakeUp;
        }
        if (waiter != null) {
            waiter.run();
        }
    }

    @Override
    public void mayEndSooner() {
        Hold granted;
        synchronized (this) {
            granted = hold;
            mayEndSooner = true;
        }
        if (granted != null) {
            granted.mayEndSooner();
        }
    }

    @Override
    public void lost(LossCause cause) {
        Hold granted;
        synchronized (this) {
            granted = hold;
            earlyLoss = cause;
        }
        if (granted != null) {
            granted.lose(cause);
        }
    }

    /** An attempt begins: what was signalled before was about an earlier one. */
    synchronized void attemptBegins() {
        earlyLoss = null;
        mayEndSooner = false;
    }

    /** The claim was granted. The hold learns what was signalled before the grant was known. */
    void granted(Hold granted) {
        LossCause loss;
        boolean sooner;
        synchronized (this) {
            wakeUp = null;
            hold = granted;
            loss = earlyLoss;
            sooner = mayEndSooner;
        }
        if (loss != null) {
            granted.lose(loss);
        } else if (sooner) {
            granted.mayEndSooner();
        }
    }
}
