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

    @LockRule("8.6")
    default void rule86_theTimeThatAnswersTellPassesAsTimeDoes() {
        LockProvider provider = kit().provider();
        DrivenClaim holder = kit().claim(provider, kit().newName()).lasting().make();
        DrivenClaim other = kit().claim(provider, kit().newName()).lasting().makeGranted();
        List<TimeReading> readings = new ArrayList<>();
        long called = Pace.now();
        Attempt.Granted first = holder.mustBeGranted("nobody holds the lock");
        readings.add(TimeReading.of("a grant", called, first.storeTime()));
        for (int i = 0; i < READINGS; i++) {
            Pace.pass(BETWEEN_READINGS);
            called = Pace.now();
            if (i % 3 == 1) {
                Attempt.Granted again = holder.mustBeGranted("the store has this very claim as granted");
                readings.add(TimeReading.of("a repeated attempt", called, again.storeTime()));
            } else if (i % 3 == 2) {
                List<Renewal> renewals = kit().renewAll(provider, List.of(other, holder));
                readings.add(TimeReading.of("a renewal with others", called, timeOf(renewals.get(1))));
            } else {
                Renewal renewal = holder.renew();
                readings.add(TimeReading.of("a renewal", called, timeOf(renewal)));
            }
        }
        called = Pace.now();
        Attempt.Granted shorter = kit().claim(provider, kit().newName()).make().mustBeGranted("nobody holds the lock");
        readings.add(TimeReading.of("a grant with a shorter lease", called, shorter.storeTime()));
        Optional<StoreTime> told = readings.get(0).told();
        for (TimeReading reading : readings) {
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
}
