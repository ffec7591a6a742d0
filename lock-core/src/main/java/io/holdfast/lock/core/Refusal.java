package io.holdfast.lock.core;

import java.time.Duration;

/**
 * The latest answer that somebody else has the lock: to an acquire itself, or to the one whose place it took.
 *
 * @param at the reading of the clock when it came
 */
record Refusal(long at) {

    /**
     * A waiter whose time is up relies on a refusal that is not older than this, instead of asking once more. Else many waiters
     * that give up together would each ask the store what the first of them has just heard.
     */
    private static final Duration FRESH = Duration.ofMillis(100);

    boolean isFreshAt(Deadline deadline) {
        return deadline.kind() == Deadline.Kind.AT_TIME && deadline.at() - at <= FRESH.toNanos();
    }
}
