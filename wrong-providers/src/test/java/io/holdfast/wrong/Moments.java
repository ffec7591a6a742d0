package io.holdfast.wrong;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Real time, as wrong providers count it and let it pass: by the monotonic clock, in nanoseconds. */
public final class Moments {

    private static final Duration POLL = Duration.ofMillis(4);

    private Moments() {}

    /**
     * This moment.
     *
     * @return a reading of the monotonic clock, of which only differences mean something
     */
    public static long now() {
        return System.nanoTime();
    }

    /**
     * The time since a moment.
     *
     * @param moment an earlier reading of {@link #now()}
     * @return the time
     */
    public static Duration since(long moment) {
        return Duration.ofNanos(now() - moment);
    }

    /**
     * Lets time pass.
     *
     * @param time for how long
     * @throws IllegalStateException if the thread is interrupted meanwhile, and stays so
     */
    public static void pass(Duration time) {
        long start = now();
        for (long left = time.toNanos(); left > 0; left = time.toNanos() - (now() - start)) {
            LockSupport.parkNanos(left);
            if (Thread.currentThread().isInterrupted()) {
                throw new IllegalStateException("A wrong provider was interrupted while it let time pass");
            }
        }
    }

    /**
     * Lets time pass until a condition holds.
     *
     * @param most for how long at most
     * @param condition the condition
     */
    public static void passUntil(Duration most, BooleanSupplier condition) {
        long start = now();
        while (!condition.getAsBoolean() && since(start).compareTo(most) < 0) {
            pass(POLL);
        }
    }
}
