package io.holdfast.lock.tck;

import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.lock.spi.StoreTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Assertions;

/** What grants and renewals tell of the store's clock: the engine ends leases by it. */
interface StoreTimeRules extends Rules {

    /** At least one in each tenth of a second: a part of a clock's reading may get lost, such as a zero. */
    Duration BETWEEN_READINGS = Duration.ofMillis(80);

    int READINGS = 15;

    /** A clock may be kept in whole milliseconds, and two clocks run at slightly different rates. */
    Duration COARSE = Duration.ofMillis(3);

    @LockRule("8.6")
    default void rule86_theTimeThatAnswersTellPassesAsTimeDoes() {
        LockProvider provider = kit().provider();
        DrivenClaim holder = kit().claim(provider, kit().newName())
                .leasing(kit().longLease())
                .make();
        DrivenClaim other = kit().claim(provider, kit().newName())
                .leasing(kit().longLease())
                .makeGranted();
        List<Reading> readings = new ArrayList<>();
        long called = Pace.now();
        Attempt.Granted first = holder.mustBeGranted("nobody holds the lock");
        readings.add(Reading.of("a grant", called, first.storeTime()));
        for (int i = 0; i < READINGS; i++) {
            Pace.pass(BETWEEN_READINGS);
            called = Pace.now();
            if (i % 3 == 1) {
                Attempt.Granted again = holder.mustBeGranted("the store has this very claim as granted");
                readings.add(Reading.of("a repeated attempt", called, again.storeTime()));
            } else if (i % 3 == 2) {
                List<Renewal> renewals = kit().renewAll(provider, List.of(other, holder));
                readings.add(Reading.of("a renewal with others", called, timeOf(renewals.get(1))));
            } else {
                Renewal renewal = holder.renew();
                readings.add(Reading.of("a renewal", called, timeOf(renewal)));
            }
        }
        Optional<StoreTime> told = readings.get(0).told();
        for (Reading reading : readings) {
            Assertions.assertEquals(
                    told.isPresent(),
                    reading.told().isPresent(),
                    () -> "a provider that tells the store's time tells it in grants and renewals, or in neither; "
                            + reading.what() + " differs from the grant");
        }
        for (int i = 1; i < readings.size() && told.isPresent(); i++) {
            readings.get(i).mustFollow(readings.get(i - 1));
            readings.get(i).mustFollow(readings.get(0));
        }
    }

    private static Optional<StoreTime> timeOf(Renewal renewal) {
        if (renewal instanceof Renewal.Held held) {
            return held.storeTime();
        }
        throw new AssertionError("the renewal must be held, because it holds the lock, but it was " + renewal);
    }

    /**
     * What an answer told, and when.
     *
     * @param what the call
     * @param from when it was called, by the monotonic clock
     * @param until when it had returned
     * @param told what the store's clock said
     */
    record Reading(String what, long from, long until, Optional<StoreTime> told) {

        static Reading of(String what, long called, Optional<StoreTime> told) {
            return new Reading(what, called, Pace.now(), told);
        }

        /** The time between two readings of one clock lies between the shortest and the longest time between the two calls. */
        void mustFollow(Reading before) {
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
}
