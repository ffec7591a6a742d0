package io.holdfast.lock.core.lease;

import io.holdfast.lock.spi.StoreClock;
import java.time.Duration;

/**
 * When a lease ends: earlier than it was granted for, if the store's clock is set forward meanwhile.
 *
 * @param granted the reading of the clock at which it ends by its grant or renewal
 * @param clock the store's clock, which ends it
 * @param advanced by how much that clock had been set forward by then
 */
public record LeaseEnd(long granted, StoreClock clock, long advanced) {

    /** Smaller steps are heeded, too, but not logged or named as a cause: time services make them. */
    static final Duration LEAST_NOTABLE = Duration.ofMillis(100);

    /** Whether a step of the clock, and not the lease, has ended it at a reading of the monotonic clock. */
    public boolean isCutShort(long now) {
        return now - granted < 0 && granted - reading() >= LEAST_NOTABLE.toNanos();
    }

    /** The end of a lease, as of now. It only ever moves to earlier readings. */
    public long reading() {
        return granted - (clock.advanced() - advanced);
    }
}
