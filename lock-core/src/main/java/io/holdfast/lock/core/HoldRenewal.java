package io.holdfast.lock.core;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.spi.Renewal;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Asks the store to prolong a {@link Hold}, and takes in the answers, also those to the renewals of a batch. */
final class HoldRenewal {

    private final Engine engine;
    private final Hold hold;
    private final SerialClaim claim;

    /** Whether a renewal is due that has not succeeded: it failed, hangs, or waits to be sent. */
    private volatile boolean open;

    /** The trouble since the last renewal that succeeded; null if there was none. */
    private final AtomicReference<@Nullable FailedRow> failing = new AtomicReference<>();

    /**
     * What listeners were told of since the last renewal that succeeded.
     *
     * @param since the reading of the clock when they were told first
     * @param failures how many renewals failed; none yet if one is overdue
     */
    private record FailedRow(long since, int failures, LockException latest) {}

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
        FailedRow row = failing.get();
        return row == null ? null : row.latest();
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
        FailedRow row = failing.getAndSet(null);
        if (row != null) {
            Duration time = Duration.ofNanos(engine.now() - row.since());
            engine.events().log().renewedAgain(hold.event(), row.failures(), time);
        }
    }

    void failed(LockException latest) {
        FailedRow row = add(latest);
        if (hold.isInForce()) {
            engine.keeper().retrySoon(hold);
            tell(row);
        }
    }

    /** Reports a renewal that has had no answer for a third of the lease: it may hang until the lease is over. */
    void overdue() {
        LockException late = new LockStoreException("The renewal of the lock '"
                + hold.key().lockName()
                + "' has had no answer yet: the store is slow, or the call waits for a connection");
        FailedRow row = new FailedRow(engine.now(), 0, late);
        if (open && hold.isInForce() && failing.compareAndSet(null, row)) {
            tell(row);
        }
    }

    private FailedRow add(LockException latest) {
        return Objects.requireNonNull(failing.updateAndGet(row -> row == null
                ? new FailedRow(engine.now(), 1, latest)
                : new FailedRow(row.since(), row.failures() + 1, latest)));
    }

    private void tell(FailedRow row) {
        LockException latest = row.latest();
        if (row.failures() <= 1) {
            engine.events().log().renewalFailed(hold.event(), hold.remaining(), latest);
        }
        engine.events().emit(listener -> listener.renewalFailed(hold.event(), latest));
    }
}
