package io.holdfast.lock.jdbc.table;

import java.time.Duration;

/** What a client may count on of a lease that the database's clock measures. */
public final class Leases {

    /**
     * The rates at which two clocks run differ by less than one in this many: NTP slews a clock by at most 1/2000, and a
     * quartz is off by a tenth of that. So much of the lease is not counted on. A clock that is set is another matter.
     */
    private static final long CLOCK_RATE_DRIFT = 1_000;

    private Leases() {}

    /**
     * The validity of a grant or a renewal.
     *
     * @param lease the lease that the database was asked for
     * @return how long to rely on it, from just before the call
     */
    public static Duration validFor(Duration lease) {
        return lease.minus(lease.dividedBy(CLOCK_RATE_DRIFT));
    }
}
