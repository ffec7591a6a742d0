package io.holdfast.lock.core.hold;

import io.holdfast.lock.LockException;
import io.holdfast.lock.core.claim.ClaimReaper;
import io.holdfast.lock.core.hold.Hold.Outcome;
import io.holdfast.lock.core.runtime.LockLog;
import io.holdfast.lock.spi.Release;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The release of one {@link Hold}'s claim: by the caller who releases the last handle, and in the background if that fails. */
final class HoldRelease {

    private final Services services;
    private final Hold hold;
    private final LockLog log;

    /** When the first release began that failed; null if none did, or if the log has told how it ended. */
    private final AtomicReference<@Nullable Long> failedFrom = new AtomicReference<>();

    /** True once a release was sent: a later NOT_HELD may be our own doing. Guarded by the claim. */
    private boolean sent;

    /** Whether the store is asked again in the background, until it has answered. */
    private final AtomicBoolean underWay = new AtomicBoolean();

    HoldRelease(Services services, Hold hold) {
        this.services = services;
        this.hold = hold;
        this.log = services.events().log();
    }

    /** Asks the store to free the lock. */
    Outcome giveBack() {
        long began = services.now();
        // Exclusively to the end: a second release of the handle must not take what the first one did for a loss.
        return hold.claim().exclusively(() -> {
            if (!hold.isReleasing()) {
                return Outcome.BEFORE;
            }
            boolean sentBefore = sent;
            sent = true;
            Release found = releaseNowOrInBackground(began);
            if (found == Release.NOT_HELD && !sentBefore) {
                hold.becomeLostBeforeRelease();
                return Outcome.LOST;
            }
            released(began);
            if (found == Release.NOT_HELD) {
                hold.tellFree();
                return Outcome.BEFORE;
            }
            hold.tellGivenBack();
            return Outcome.RELEASED;
        });
    }

    /** After a failure the caller gets the exception, and the store is asked again in the background: others wait. */
    private Release releaseNowOrInBackground(long began) {
        try {
            return hold.claim().release();
        } catch (LockException unknown) {
            failedFrom.compareAndSet(null, began);
            log.releaseFailed(hold.event(), since(began), unknown);
            inBackground();
            throw unknown;
        }
    }

    private void released(long began) {
        Long first = failedFrom.getAndSet(null);
        if (first == null) {
            log.released(hold::event, hold::age, () -> since(began));
        } else {
            log.releasedAtLast(hold.event(), since(first));
        }
        becomeReleased();
    }

    /** The claim has gone to another holder of this client. */
    void tellPassedOn() {
        log.released(hold::event, hold::age, () -> Duration.ZERO);
        tellReleased();
    }

    private void becomeReleased() {
        hold.becomeReleased();
        tellReleased();
    }

    private void tellReleased() {
        services.events().emit(listener -> listener.released(hold.event()));
    }

    /** Has the claim released in the background, once: the application may repeat a release that failed. */
    void inBackground() {
        if (underWay.compareAndSet(false, true)) {
            long began = services.now();
            services.reaper().release(hold.claim(), ClaimReaper.Until.ANSWERED, () -> undone(began), this::leaseEnded);
        }
    }

    private void undone(long began) {
        boolean unused = hold.claim().exclusively(() -> {
            boolean releasing = hold.isReleasing();
            if (releasing) {
                released(began);
            }
            return releasing;
        });
        hold.tellFree();
    }

    private void leaseEnded() {
        Long first = failedFrom.getAndSet(null);
        if (first != null) {
            log.neverReleased(hold.event(), since(first));
            becomeReleased();
        }
        hold.tellFree();
    }

    private Duration since(long began) {
        return Duration.ofNanos(services.now() - began);
    }
}
