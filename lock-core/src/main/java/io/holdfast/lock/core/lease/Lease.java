package io.holdfast.lock.core.lease;

import io.holdfast.lock.LockException;
import io.holdfast.lock.core.claim.SerialClaim;
import io.holdfast.lock.spi.Renewal;

/** What the {@link LeaseKeeper} knows of a hold: when its lease ends, and whom to tell what becomes of it. */
public interface Lease {

    /** The claim to renew. */
    SerialClaim claim();

    /** When the keeper has to do something about it. */
    RenewalSchedule schedule();

    /** Whether the keeper renews it, and warns when that does not succeed. */
    boolean isRenewedAutomatically();

    /** The reading of the clock at which the lease is over. It moves to an earlier one when the store's clock is set forward. */
    long deadline();

    /** Whether the lock is still held at a reading of the clock. */
    boolean isHeldAt(long now);

    /** A renewal is due. Returns false if nobody can release the hold any more, so that its lease is to end. */
    boolean isRenewalWanted();

    /** A renewal is on its way. */
    void renewalBegan();

    /** The store has answered a renewal that was sent at a reading of the clock. */
    void renewalAnswered(Renewal answer, long sentAt);

    /** A renewal has failed. */
    void renewalFailed(LockException failure);

    /** Whether a renewal is due that has not succeeded: it failed, hangs, or waits to be sent. */
    boolean isRenewalPending();

    /** A third of the lease is left, and a renewal that was sent long ago is pending. */
    void renewalIsLate();

    /** A third of the lease is left. */
    void warn();

    /** The deadline has passed. */
    void expire();
}
