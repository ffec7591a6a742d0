package io.holdfast.lock.core.hold;

import io.holdfast.lock.core.lease.LeaseEnd;
import io.holdfast.lock.spi.StoreClock;
import java.time.Duration;

/**
 * How long a hold is certain, by the monotonic clock. A step of the store's clock moves the end to an earlier reading. One object
 * with its {@link LeaseEnd}, as each hold has one.
 *
 * @param from the reading of the clock at which it began: of the grant, or of the answer to the latest renewal
 * @param granted as {@link LeaseEnd#granted()}
 * @param clock as {@link LeaseEnd#clock()}
 * @param advanced as {@link LeaseEnd#advanced()}
 */
record Validity(long from, long granted, StoreClock clock, long advanced) {

    /** Much must be left to nest without a renewal: this part of what was granted, which may be less than was asked for. */
    private static final int COMFORTABLE_PART = 3;

    static Validity of(long from, LeaseEnd end) {
        return new Validity(from, end.granted(), end.clock(), end.advanced());
    }

    LeaseEnd end() {
        return new LeaseEnd(granted, clock, advanced);
    }

    long deadline() {
        return end().reading();
    }

    boolean isOver(long now) {
        return now - deadline() >= 0;
    }

    /** Whether it would not be over if the store's clock had not been set. */
    boolean isCutShort(long now) {
        return isOver(now) && end().isCutShort(now);
    }

    Duration remaining(long now) {
        return Duration.ofNanos(Math.max(0, deadline() - now));
    }

    boolean isComfortable(long now) {
        return comfortableUntil() - now > 0;
    }

    /** The first reading of the clock at which it is comfortable no longer. */
    long comfortableUntil() {
        return deadline() - comfort() + 1;
    }

    /** Whether it is comfortable no longer, or about to be so. */
    boolean isLow(long now) {
        return deadline() - now <= comfort();
    }

    private long comfort() {
        return (granted - from) / COMFORTABLE_PART;
    }
}
