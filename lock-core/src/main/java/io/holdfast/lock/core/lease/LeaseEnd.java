package io.holdfast.lock.core.lease;

import io.holdfast.lock.spi.StoreClock;

/**
 * When a lease ends: earlier than it was granted for, if the store's clock is set forward meanwhile.
 *
 * @param granted the reading of the clock at which it ends by its grant or renewal
 * @param clock the store's clock, which ends it
 * @param advanced by how much that clock had been set forward by then
 */
public record LeaseEnd(long granted, StoreClock clock, long advanced) {

    /** Less is no cause of a loss that a person should look for. */
    private static final long NOTABLE_NANOS = 100_000_000;

    /** Whether a step of the clock, and not the lease, has ended it at a reading of the monotonic clock. */
    public boolean isCutShort(long now) {
        return now - granted < 0 && granted - reading() >= NOTABLE_NANOS;
    }

    /** The end of a lease, as of now. It only ever moves to earlier readings. */
    public long reading() {
        return granted - (clock.advanced() - advanced);
    }
}
