package io.holdfast.lock.spi;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * Compares the wall clock of a store, which ends leases, with the monotonic clock of this process, and finds out that the store's
 * clock was set. Thread-safe; reads no clock and does no I/O.
 *
 * <p>An answer of the store bounds the difference of the two clocks: the store has read its clock after the request was sent and
 * before the answer was received (<a href="https://doi.org/10.1007/BF01784024">Cristian, 1989</a>). The bounds of successive
 * answers overlap, unless the clocks run at different rates or one of them was set. So a step is only found by the first answer
 * after it, and only if it is larger than the time that answer took and the drift since the one before.
 */
public final class StoreClock {

    private static final long NANOS_PER_SECOND = 1_000_000_000;
    private static final double MILLION = 1e6;

    private final long driftPpm;

    // The difference, store minus process, is between these; as of readAt. Readings may wrap
    // around, so only differences are compared.
    private boolean known;
    private long low;
    private long high;
    private long readAt;

    private volatile long advanced;

    /**
     * Creates a clock of which nothing is known.
     *
     * @param driftPpm how much faster or slower than this process's clock it may run without being set, in parts of a million
     */
    public StoreClock(long driftPpm) {
        this.driftPpm = driftPpm;
    }

    /**
     * What an answer of the store tells of its clock.
     *
     * @param step by how much the clock was set at least since the answer before: forward if positive, back if negative
     * @param advanced what {@link StoreClock#advanced()} was when the store carried out the request
     */
    public record Reading(Duration step, long advanced) {

        /**
         * Creates a reading.
         *
         * @param step by how much the clock was set at least since the answer before: forward if positive, back if negative
         * @param advanced what {@link StoreClock#advanced()} was when the store carried out the request
         */
        public Reading {
            Objects.requireNonNull(step, "step");
        }
    }

    /**
     * By how much the clock has been set forward at most, all in all, in nanoseconds. A lease that was granted before a step ends
     * that much earlier.
     *
     * @return a number that never falls
     */
    public long advanced() {
        return advanced;
    }

    /**
     * Takes note of an answer.
     *
     * @param storeTime what the store's clock said
     * @param sentAt the reading of the monotonic clock, in nanoseconds, before the request was sent
     * @param receivedAt the reading after the answer was received
     * @return what it tells
     */
    public synchronized Reading read(Instant storeTime, long sentAt, long receivedAt) {
        Objects.requireNonNull(storeTime, "storeTime");
        long time = storeTime.getEpochSecond() * NANOS_PER_SECOND + storeTime.getNano();
        long newLow = time - receivedAt;
        // The difference was at most that when the request was sent, and has drifted since.
        long newHigh = time - sentAt + drift(receivedAt - sentAt);
        if (!known) {
            known = true;
            return begin(newLow, newHigh, receivedAt, 0);
        }
        long drift = drift(receivedAt - readAt);
        long forward = newLow - (high + drift);
        if (forward > 0) {
            // The deadline of each lease was counted from its own bound, which was not below this
            // one but for the drift that validities leave.
            advanced += newHigh - high;
            return begin(newLow, newHigh, receivedAt, forward);
        }
        long back = low - drift - newHigh;
        if (back <= 0) {
            // The narrower bounds of both.
            return begin(
                    newLow - (low - drift) > 0 ? newLow : low - drift,
                    newHigh - (high + drift) < 0 ? newHigh : high + drift,
                    receivedAt - readAt > 0 ? receivedAt : readAt,
                    0);
        }
        if (sentAt - readAt > 0) {
            return begin(newLow, newHigh, receivedAt, -back);
        }
        // It was under way together with the answer that is known. So it is from before a step forward; or from after a
        // step back, which the next answer will show.
        return new Reading(Duration.ZERO, advanced - (high - (time - sentAt)));
    }

    private long drift(long elapsed) {
        return (long) Math.ceil(Math.max(0, elapsed) / MILLION * driftPpm);
    }

    private Reading begin(long newLow, long newHigh, long at, long step) {
        low = newLow;
        high = newHigh;
        readAt = at;
        return new Reading(Duration.ofNanos(step), advanced);
    }
}
