package io.holdfast.lock.redis;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockOptions;
import java.time.Duration;

/**
 * What all clients of a quorum have to agree on, and how long a node may take.
 *
 * @param timeout for the answer of a node
 * @param driftPercent how much faster than this client's clock the clock of a node may run
 * @param drift how much more of the lease is not counted on
 * @param longestLease the longest lease of any client: a node that was started takes no part for that time and a second more, and
 *     one whose clock was set forward for that time
 * @param durable whether the nodes keep all data when they are restarted, so that none has to keep out
 */
record RedlockOptions(Duration timeout, int driftPercent, Duration drift, Duration longestLease, boolean durable) {

    /** The drift is that of the specification of Redlock. */
    static final RedlockOptions USUAL =
            new RedlockOptions(Duration.ofSeconds(1), 1, Duration.ofMillis(2), Duration.ofMinutes(1), false);

    static final int MOST_DRIFT_PERCENT = 50;
    static final Duration LEAST_TIMEOUT = Duration.ofMillis(1);
    static final Duration MOST_TIMEOUT = Duration.ofMinutes(1);

    /** How far the tokens of a node may be ahead of its clock; {@code fence.lua} has the number. */
    private static final Duration MOST_AHEAD = Duration.ofSeconds(1);

    RedlockOptions withTimeout(Duration chosen) {
        requireWithin("timeout", chosen, LEAST_TIMEOUT);
        return new RedlockOptions(chosen, driftPercent, drift, longestLease, durable);
    }

    RedlockOptions withDrift(int percent, Duration constant) {
        requireWithin("drift", constant, Duration.ZERO);
        if (percent < 0 || percent > MOST_DRIFT_PERCENT) {
            throw new LockConfigurationException(
                    "The drift is " + percent + " percent; allowed are 0 to " + MOST_DRIFT_PERCENT);
        }
        return new RedlockOptions(timeout, percent, constant, longestLease, durable);
    }

    RedlockOptions withLongestLease(Duration lease) {
        return new RedlockOptions(timeout, driftPercent, drift, LockOptions.requireValidLease(lease), durable);
    }

    RedlockOptions asDurable() {
        return new RedlockOptions(timeout, driftPercent, drift, longestLease, true);
    }

    private static void requireWithin(String name, Duration value, Duration least) {
        if (value.compareTo(least) < 0 || value.compareTo(MOST_TIMEOUT) > 0) {
            throw new LockConfigurationException(
                    "The " + name + " is " + value + "; allowed are " + least + " to " + MOST_TIMEOUT);
        }
    }

    /** For how long a grant or a renewal is valid, from before it was asked for. */
    Duration validFor(Duration lease) {
        Duration left =
                lease.minus(lease.multipliedBy(driftPercent).dividedBy(100)).minus(drift);
        return left.isNegative() ? Duration.ZERO : left;
    }

    /**
     * How long a node that was started takes no part: all leases have ended then, and its clock has passed the tokens that it
     * gave.
     */
    Duration keptOutFor() {
        return durable ? Duration.ZERO : longestLease.plus(MOST_AHEAD);
    }

    void requireValid(Duration lease) {
        if (!durable && lease.compareTo(longestLease) > 0) {
            throw new LockConfigurationException("The lease is " + lease + ", and longestLease is " + longestLease
                    + "; allowed are a shorter lease, a longer longestLease, the same for all clients, and servers with"
                    + " persistence=always");
        }
    }
}
