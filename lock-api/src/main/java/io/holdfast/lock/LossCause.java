package io.holdfast.lock;

/** Why a lock was lost. */
public enum LossCause {
    /** The lease ran out: it was not to be renewed, or this process was paused past its end. */
    EXPIRED,
    /**
     * The store's record is gone or is another claim's, although the lease had not run out: removed by an operator, flushed,
     * evicted, or taken.
     */
    TAKEN_OVER,
    /** The store ended the session that the lock belonged to, or may end it sooner than was promised. */
    SESSION_ENDED,
    /** Renewals failed until the lease ran out: the store could not be reached, or did not answer. */
    STORE_LOST,
    /**
     * The store's clock, which ends leases, was set forward by more than was left of the lease; or this machine was suspended,
     * and its monotonic clock stood still meanwhile.
     */
    CLOCK_STEPPED,
    /** The client was closed while it held the lock. */
    CLIENT_CLOSED
}
