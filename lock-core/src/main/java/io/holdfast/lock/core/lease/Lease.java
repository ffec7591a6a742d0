package io.holdfast.lock.core.lease;

import io.holdfast.lock.LockException;
import io.holdfast.lock.core.claim.SerialClaim;
import io.holdfast.lock.spi.Renewal;

/**
 * What the {@link LeaseKeeper} knows of a hold: when its lease ends, what is to be done until then, and whom to tell what becomes
 * of it.
 */
public abstract class Lease extends RenewalSchedule {

    /** The claim to renew. */
    public abstract SerialClaim claim();

    /** Whether the lock is still held at a reading of the clock. */
    public abstract boolean isHeldAt(long now);

    /** A renewal is due. Returns false if nobody can release the hold any more, so that its lease is to end. */
    public abstract boolean isRenewalWanted();

    /** A renewal is on its way. */
    public abstract void renewalBegan();

    /**
     * The store has answered a renewal that was sent at a reading of the clock.
     *
     * @throws LockException if the answer cannot be understood: then the outcome is unknown
     */
    public abstract void renewalAnswered(Renewal answer, long sentAt);

    /** A renewal has failed. */
    public abstract void renewalFailed(LockException failure);

    /** Whether a renewal is due that has not succeeded: it failed, hangs, or waits to be sent. */
    public abstract boolean isRenewalPending();

    /** A third of the lease is left, and a renewal that was sent long ago is pending. */
    public abstract void renewalIsLate();

    /** A third of the lease is left. */
    public abstract void warn();

    /** The deadline has passed. */
    public abstract void expire();
}
