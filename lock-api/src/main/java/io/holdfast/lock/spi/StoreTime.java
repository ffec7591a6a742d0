package io.holdfast.lock.spi;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * What the clock that ends a lease said while the store carried out a call.
 *
 * @param clock stands for the clock, by {@code equals}: a store of several servers has several
 * @param time what it said
 * @param sentAfter how long after the begin of the provider's call its request was sent, the last one if it was repeated, for
 *     example because it had waited for a connection; zero if that is not known
 */
public record StoreTime(Object clock, Instant time, Duration sentAfter) {

    /**
     * Creates it.
     *
     * @param clock stands for the clock, by {@code equals}: a store of several servers has several
     * @param time what it said
     * @param sentAfter how long after the begin of the provider's call the request was sent; zero if that is not known
     */
    public StoreTime {
        Objects.requireNonNull(clock, "clock");
        Objects.requireNonNull(time, "time");
        Objects.requireNonNull(sentAfter, "sentAfter");
    }

    /**
     * One whose request was sent at the begin of the call, as far as is known.
     *
     * @param clock stands for the clock, by {@code equals}: a store of several servers has several
     * @param time what it said
     */
    public StoreTime(Object clock, Instant time) {
        this(clock, time, Duration.ZERO);
    }
}
