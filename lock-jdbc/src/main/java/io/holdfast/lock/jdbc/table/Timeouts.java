package io.holdfast.lock.jdbc.table;

import io.holdfast.lock.LockConfigurationException;
import java.time.Duration;

/**
 * Limits of a statement. The database is asked to cancel it at the time-out; if it is silent, the connection is given
 * up a second later. In this order, because a statement that its client has abandoned may still take effect.
 */
public final class Timeouts {

    /** The default. */
    public static final Duration USUAL = Duration.ofSeconds(5);

    /** The shortest: JDBC counts whole seconds. */
    public static final Duration LEAST = Duration.ofSeconds(1);

    /** The longest. */
    public static final Duration MOST = Duration.ofMinutes(10);

    /**
     * How long a call waits for a connection, by default: enough to load a driver and to connect, on a machine that is busy
     * starting up.
     */
    public static final Duration POOL_WAIT = Duration.ofSeconds(5);

    /** The shortest wait for a connection. */
    public static final Duration LEAST_POOL_WAIT = Duration.ofMillis(250);

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration GRACE = Duration.ofSeconds(1);

    private Timeouts() {}

    /**
     * Checks a time that an application has set.
     *
     * @param name of the setting
     * @param time its value
     * @param least the shortest
     * @return the time
     * @throws LockConfigurationException if it is out of range
     */
    public static Duration requireValid(String name, Duration time, Duration least) {
        if (time.compareTo(least) < 0 || time.compareTo(MOST) > 0) {
            throw new LockConfigurationException(
                    "The " + name + " is " + time + "; allowed are " + least + " to " + MOST);
        }
        return time;
    }

    /**
     * Converts a time for drivers.
     *
     * @param time the time
     * @return whole seconds, rounded up, and at least 1: 0 means no limit
     */
    public static int seconds(Duration time) {
        return (int) Math.max(1, time.plusNanos(SECOND.toNanos() - 1).toSeconds());
    }

    /**
     * The time after which a silent database is given up.
     *
     * @param timeout for a statement, which gets it in {@linkplain #seconds whole seconds}
     * @return the time
     */
    public static Duration ofNetwork(Duration timeout) {
        return Duration.ofSeconds(seconds(timeout)).plus(GRACE);
    }
}
