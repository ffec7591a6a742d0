package io.holdfast.lock.spi;

import java.time.Instant;
import java.util.Objects;

/**
 * What the clock that ends a lease said while the store carried out a call.
 *
 * @param clock stands for the clock, by {@code equals}: a store of several servers has several
 * @param time what it said
 */
public record StoreTime(Object clock, Instant time) {

    /**
     * Creates it.
     *
     * @param clock stands for the clock, by {@code equals}: a store of several servers has several
     * @param time what it said
     */
    public StoreTime {
        Objects.requireNonNull(clock, "clock");
        Objects.requireNonNull(time, "time");
    }
}
