package io.holdfast.examples.memcached;

import java.util.function.LongSupplier;

/**
 * The count of seconds by which memcached ends items. As in memcached, a timer sets it to the whole seconds of the machine's
 * clock, a little less often than once in a second: now and then it misses a second, and then advances by two.
 *
 * @param nanoseconds the machine's clock, from when the server was started
 */
record MemcachedClock(LongSupplier nanoseconds) {

    /** A memcached 1.6.18 on Linux measured 1.0004 to 1.001 s. */
    static final long TIMER_NANOS = 1_000_700_000L;

    private static final long SECOND = 1_000_000_000L;

    /** What the count says; it never begins at zero, which items use for "without end". */
    long count() {
        long lastTick = nanoseconds.getAsLong() / TIMER_NANOS * TIMER_NANOS;
        return lastTick / SECOND + 2;
    }

    static MemcachedClock ofThisMachine() {
        long start = System.nanoTime();
        return new MemcachedClock(() -> System.nanoTime() - start);
    }
}
