package io.holdfast.lock.tck;

import io.holdfast.lock.spi.StoreTime;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Assertions;

/**
 * What an answer told, and when.
 *
 * @param what the call
 * @param from when it was called, by the monotonic clock
 * @param until when it had returned
 * @param told what the store's clock said
 */
record TimeReading(String what, long from, long until, Optional<StoreTime> told) {

    /** A clock may be kept in whole milliseconds, and two clocks run at slightly different rates. */
    private static final Duration COARSE = Duration.ofMillis(3);

    static TimeReading of(String what, long called, Optional<StoreTime> told) {
        return new TimeReading(what, called, Pace.now(), told);
    }

    /** The time between two readings of one clock lies between the shortest and the longest time between the two calls. */
    void mustFollow(TimeReading before) {
        StoreTime now = told.orElseThrow();
        StoreTime then = before.told().orElseThrow();
        if (!now.clock().equals(then.clock())) {
            return;
        }
        Duration passed = Duration.between(then.time(), now.time());
        Duration least = Duration.ofNanos(from - before.until()).minus(COARSE);
        Duration most = Duration.ofNanos(until - before.from()).plus(COARSE);
        Assertions.assertTrue(
                passed.compareTo(least) >= 0 && passed.compareTo(most) <= 0,
                () -> "between " + before.what() + " and " + what + " from " + least.toMillis() + " to "
                        + most.toMillis() + " ms have passed, but " + passed.toMillis()
                        + " ms by the store's time that they tell");
    }
}
