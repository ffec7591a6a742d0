package io.holdfast.lock.core.lease;

import io.holdfast.lock.core.runtime.EngineRuntime;
import io.holdfast.lock.core.runtime.LockLog;
import io.holdfast.lock.core.runtime.Nanos;
import io.holdfast.lock.spi.StoreClock;
import io.holdfast.lock.spi.StoreClock.Reading;
import io.holdfast.lock.spi.StoreTime;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The clocks by which a store ends leases: one for each of its servers. When the answer to any call shows that one was set
 * forward, all leases that it ends are over that much earlier, at once.
 */
public final class StoreClocks {

    /** The validity that providers return leaves the same thousandth for drift. */
    private static final long DRIFT_PPM = 1_000;

    private static final StoreClock UNKNOWN = new StoreClock(DRIFT_PPM);

    private final EngineRuntime runtime;
    private final LeaseKeeper keeper;
    private final LockLog log;
    private final Map<Object, StoreClock> clocks = new ConcurrentHashMap<>();

    /** Creates the clocks of a client's store, of which nothing is known. */
    public StoreClocks(EngineRuntime runtime, LeaseKeeper keeper, LockLog log) {
        this.runtime = runtime;
        this.keeper = keeper;
        this.log = log;
    }

    /**
     * The end of a lease that an answer has granted or prolonged.
     *
     * @param storeTime what the answer says of the store's clock
     * @param sentAt the reading of the monotonic clock before the store was asked
     */
    public LeaseEnd endOf(Duration validFor, Optional<StoreTime> storeTime, long sentAt) {
        long granted = sentAt + Nanos.of(validFor);
        if (storeTime.isEmpty()) {
            return new LeaseEnd(granted, UNKNOWN, 0);
        }
        StoreClock clock = clocks.computeIfAbsent(storeTime.get().clock(), first -> new StoreClock(DRIFT_PPM));
        long requestSentAt = sentAt + Nanos.of(storeTime.get().sentAfter());
        Reading reading = clock.read(storeTime.get().time(), requestSentAt, runtime.now());
        heed(reading.step());
        return new LeaseEnd(granted, clock, reading.advanced());
    }

    private void heed(Duration step) {
        if (step.compareTo(Duration.ZERO) > 0) {
            keeper.endsHaveMoved();
        }
        if (step.abs().compareTo(LeaseEnd.LEAST_NOTABLE) >= 0) {
            log.storeClockSet(step);
        }
    }
}
