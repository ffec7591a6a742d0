package io.holdfast.lock.core.hold;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.core.claim.SerialClaim;
import io.holdfast.lock.core.lease.Lease;
import io.holdfast.lock.core.lease.LeaseEnd;
import io.holdfast.lock.spi.Renewal;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * The lease of one {@link Hold}, as the keeper of leases sees it: its renewals, those that the application asks for too, and its
 * end.
 */
final class HoldLease extends Lease {

    private static final AtomicReferenceFieldUpdater<HoldLease, Failures> FAILING =
            AtomicReferenceFieldUpdater.newUpdater(HoldLease.class, Failures.class, "failing");

    private final Hold hold;
    private final boolean renewedAutomatically;

    private volatile boolean pending;

    /** The failures since the last renewal that succeeded; null if there was none. */
    private volatile @Nullable Failures failing;

    /**
     * Renewals that failed in a row.
     *
     * @param since the reading of the clock when listeners were told first
     * @param count how many renewals failed; none yet if one is overdue
     */
    private record Failures(long since, int count, LockException latest) {}

    HoldLease(Hold hold, boolean renewedAutomatically) {
        this.hold = hold;
        this.renewedAutomatically = renewedAutomatically;
    }

    @Override
    public SerialClaim claim() {
        return hold.claim();
    }

    @Override
    public boolean isRenewedAutomatically() {
        return renewedAutomatically;
    }

    @Override
    public long deadline() {
        return hold.deadline();
    }

    @Override
    public boolean isHeldAt(long now) {
        return hold.isHeldAt(now);
    }

    @Override
    public boolean isRenewalWanted() {
        return hold.isReachable();
    }

    /** Prolongs the lease; false if the hold is over. */
    boolean renew() {
        return claim().exclusively(() -> {
            if (!hold.isHeld()) {
                hold.expire();
                return false;
            }
            long sentAt = hold.services().now();
            renewalBegan();
            try {
                renewalAnswered(claim().renew(), sentAt);
            } catch (LockException unknown) {
                renewalFailed(unknown);
                throw unknown;
            }
            return hold.isHeld();
        });
    }

    @Override
    public void renewalBegan() {
        pending = true;
    }

    @Override
    public void renewalAnswered(Renewal answer, long sentAt) {
        if (answer instanceof Renewal.Lost lost) {
            // After the deadline the record is gone because the lease ran out, even if somebody else has the lock now.
            if (hold.isHeld()) {
                hold.lose(lost.cause());
            } else {
                answeredLate(answer, sentAt);
            }
        } else if (answer instanceof Renewal.Unknown unknown) {
            hold.present().lease().renewalFailed(unknown.failure());
        } else if (answer instanceof Renewal.Held held) {
            if (hold.extend(endOf(held, sentAt), sentAt)) {
                renewed();
            } else {
                answeredLate(answer, sentAt);
            }
        }
    }

    /** A part of the answer is the provider's own object. */
    private LeaseEnd endOf(Renewal.Held held, long sentAt) {
        try {
            return hold.services().clocks().endOf(held.validFor(), held.storeTime(), sentAt);
        } catch (RuntimeException | Error defect) {
            throw new LockStoreException(
                    "The answer to the renewal of the lock '" + hold.lockName() + "' cannot be understood: " + defect,
                    defect);
        }
    }

    /** An answer finds the hold ended. If its claim was passed on, even just now, the answer is for the hold that has it. */
    private void answeredLate(Renewal answer, long sentAt) {
        hold.expire();
        Hold present = hold.present();
        if (present != hold) {
            present.lease().renewalAnswered(answer, sentAt);
        }
    }

    private void renewed() {
        pending = false;
        Failures failures = FAILING.getAndSet(this, null);
        if (failures != null) {
            Duration time = Duration.ofNanos(hold.services().now() - failures.since());
            hold.services().events().log().renewedAgain(hold.event(), failures.count(), time);
        }
        hold.services().keeper().renewed(this);
        if (hold.mayStillEndSooner()) {
            // That was signalled after this renewal was sent.
            hold.services().keeper().renewNow(this);
        }
        hold.services().events().emit(listener -> listener.renewed(hold.event()));
    }

    @Override
    public void renewalFailed(LockException latest) {
        Failures failures = Objects.requireNonNull(FAILING.updateAndGet(
                this,
                before -> before == null
                        ? new Failures(hold.services().now(), 1, latest)
                        : new Failures(before.since(), before.count() + 1, latest)));
        if (hold.isHeld()) {
            hold.services().keeper().retrySoon(this);
            tell(failures);
        }
    }

    @Override
    public boolean isRenewalPending() {
        return pending;
    }

    @Override
    public void renewalIsLate() {
        LockException late = new LockStoreException("The renewal of the lock '" + hold.lockName()
                + "' has had no answer yet: the store is slow, or the call waits for a connection");
        Failures failures = new Failures(hold.services().now(), 0, late);
        if (pending && hold.isHeld() && FAILING.compareAndSet(this, null, failures)) {
            tell(failures);
        }
    }

    private void tell(Failures failures) {
        LockException latest = failures.latest();
        if (failures.count() <= 1) {
            hold.services().events().log().renewalFailed(hold.event(), hold.remaining(), latest);
        }
        hold.services().events().emit(listener -> listener.renewalFailed(hold.event(), latest));
    }

    @Nullable
    LockException failure() {
        Failures failures = failing;
        return failures == null ? null : failures.latest();
    }

    @Override
    public void warn() {
        Duration left = hold.remaining();
        if (hold.isAtRisk()) {
            if (isRenewalWanted()) {
                hold.services().events().log().atRisk(hold.event(), left);
            }
            hold.services().events().emit(listener -> listener.atRisk(hold.event(), left));
        }
    }

    @Override
    public void expire() {
        hold.expire();
    }
}
