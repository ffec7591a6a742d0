package io.holdfast.lock.jdbc.jpa;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.jdbc.jpa.JpaLockProvider.Strategy;
import io.holdfast.lock.jdbc.table.LockTable;
import io.holdfast.lock.jdbc.table.Sweeper;
import java.time.Duration;

/**
 * What a provider is opened with, whether by a URI or by its builder.
 *
 * @param strategy how bids keep each other out
 * @param table the table of locks
 * @param timeout for one statement
 * @param sweeper when to remove what the dead have left
 */
record JpaOptions(Strategy strategy, LockTable table, Duration timeout, Sweeper sweeper) {

    static final Duration TIMEOUT = Duration.ofSeconds(5);

    /** JDBC counts the seconds of a statement. */
    static final Duration LEAST_TIMEOUT = Duration.ofSeconds(1);

    static final Duration MOST_TIMEOUT = Duration.ofMinutes(10);

    static Duration requireValidTimeout(Duration timeout) {
        if (timeout.compareTo(LEAST_TIMEOUT) < 0 || timeout.compareTo(MOST_TIMEOUT) > 0) {
            throw new LockConfigurationException(
                    "The timeout is " + timeout + "; allowed are " + LEAST_TIMEOUT + " to " + MOST_TIMEOUT);
        }
        return timeout;
    }
}
