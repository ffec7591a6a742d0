package io.holdfast.lock.core;

import io.holdfast.lock.LockException;
import io.holdfast.lock.spi.Renewal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Asks the store to prolong a {@link Hold}, and takes in the answers, also those to the renewals of a batch. */
final class HoldRenewal {

    private final Engine engine;
    private final Hold hold;
    private final SerialClaim claim;

    /** Whether a renewal is due that has not succeeded: it failed, hangs, or waits to be sent. */
    private volatile boolean open;

    /** The latest failure since the last renewal that succeeded. */
    private volatile @Nullable LockException failure;

    // Touched in the claim's turn only.
    private int failures;
    private long failingSince;

    HoldRenewal(Engine engine, Hold hold, SerialClaim claim) {
        this.engine = engine;
        this.hold = hold;
        this.claim = claim;
    }

    /** Prolongs the lease; false if the hold is over. */
    boolean renew() {
        return claim.alone(() -> {
            if (!hold.isInForce()) {
                return false;
            }
            long sentAt = engine.now();
            begins();
            try {
                answered(claim.renew(), sentAt);
            } catch (LockException unknown) {
                failed(unknown);
                throw unknown;
            }
            return hold.isInForce();
        });
    }

    boolean isOpen() {
        return open;
    }

    @Nullable
    LockException failure() {
        return failure;
    }

    void begins() {
        open = true;
    }

    /** Takes in the answer to a renewal that was sent at a reading of the clock. */
    void answered(Renewal answer, long sentAt) {
        if (answer instanceof Renewal.Lost lost) {
            // After the deadline the record is gone because the lease ran out, whoever took it since.
            if (hold.isInForce()) {
                hold.lose(lost.cause());
            }
        } else if (answer instanceof Renewal.Unknown unknown) {
            failed(unknown.failure());
        } else if (answer instanceof Renewal.Held held && hold.extend(sentAt + Nanos.of(held.validFor()))) {
            open = false;
            tellRecovery();
            engine.keeper().renewed(hold);
            engine.events().emit(listener -> listener.renewed(hold.event()));
        }
    }

    private void tellRecovery() {
        if (failures > 0) {
            engine.events().log().renewedAgain(hold.event(), failures, Duration.ofNanos(engine.now() - failingSince));
            failures = 0;
            failure = null;
        }
    }

    void failed(LockException latest) {
        failure = latest;
        if (hold.isInForce()) {
            if (failures == 0) {
                failingSince = engine.now();
                engine.events().log().renewalFailed(hold.event(), hold.remaining(), latest);
            }
            failures++;
            engine.keeper().retrySoon(hold);
            engine.events().emit(listener -> listener.renewalFailed(hold.event(), latest));
        }
    }
}
