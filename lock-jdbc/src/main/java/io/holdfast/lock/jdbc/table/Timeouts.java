package io.holdfast.lock.jdbc.table;

import io.holdfast.lock.LockConfigurationException;
import java.time.Duration;

/**
 * How long a statement may take. The database is asked to give up at that time; one that does not answer even that is given up a
 * second later. In this order, because a statement that its client has left alone may still take effect.
 */
public final class Timeouts {

    /** Unless another is set. */
    public static final Duration USUAL = Duration.ofSeconds(5);

    /** JDBC counts the seconds of a statement. */
    public static final Duration LEAST = Duration.ofSeconds(1);

    /** The longest. */
    public static final Duration MOST = Duration.ofMinutes(10);

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration GRACE = Duration.ofSeconds(1);

    private Timeouts() {}

    /**
     * Checks what an application has set.
     *
     * @param timeout for a statement
     * @return the same
     * @throws LockConfigurationException if it is out of range
     */
    public static Duration requireValid(Duration timeout) {
        if (timeout.compareTo(LEAST) < 0 || timeout.compareTo(MOST) > 0) {
            throw new LockConfigurationException(
                    "The timeout is " + timeout + "; allowed are " + LEAST + " to " + MOST);
        }
        return timeout;
    }

    /**
     * A time in the seconds of drivers.
     *
     * @param time the time
     * @return the same, rounded up to whole seconds, and 1 at least: 0 means for ever
     */
    public static int seconds(Duration time) {
        return (int) Math.max(1, time.plusNanos(SECOND.toNanos() - 1).toSeconds());
    }

    /**
     * After what time a silent database is given up.
     *
     * @param timeout for a statement, which gets it in {@linkplain #seconds whole seconds}
     * @return the time
     */
    public static Duration ofNetwork(Duration timeout) {
        return Duration.ofSeconds(seconds(timeout)).plus(GRACE);
    }
}
