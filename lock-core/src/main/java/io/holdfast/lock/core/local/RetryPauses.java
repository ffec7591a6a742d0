package io.holdfast.lock.core.local;

import io.holdfast.lock.LockCapabilities.WakeUp;
import io.holdfast.lock.core.runtime.Nanos;
import io.holdfast.lock.spi.Attempt.Contended;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How long to wait before asking the store again, unless a wake-up comes first.
 *
 * <p>Where the store wakes waiters, the pause is a safety net: until the holder's lease ends, and 5 seconds at most. Where it
 * does not, the pause is the price of not asking all the time: it doubles from 10 ms to 500 ms, with half of it at random, so
 * that waiting clients do not fall into step.
 */
public final class RetryPauses {

    /** The longest sleep where the store wakes waiters. */
    public static final Duration SAFETY_NET = Duration.ofSeconds(5);
    /** The longest sleep where it does not. */
    public static final Duration LONGEST_POLL = Duration.ofMillis(500);

    private static final Duration SHORTEST = Duration.ofMillis(10);

    private long poll = SHORTEST.toNanos();

    /** The longest pause of a contender that has no answer of the store to go by. */
    static Duration longest(WakeUp wakeUp) {
        return wakeUp == WakeUp.PUSH ? SAFETY_NET : LONGEST_POLL;
    }

    /**
     * The next pause.
     *
     * @param woken whether a wake-up can be expected
     */
    long nextNanos(Contended answer, boolean woken) {
        long pause = woken ? SAFETY_NET.toNanos() : nextPollNanos();
        // A moment after the lease's end, as the store counts in milliseconds; and never so soon
        // that it becomes a spin.
        return answer.retryAfter()
                .map(lease ->
                        Math.min(pause, Nanos.of(lease) + Duration.ofMillis(1).toNanos()))
                .map(nanos -> Math.max(nanos, Math.min(pause, SHORTEST.toNanos())))
                .orElse(pause);
    }

    private long nextPollNanos() {
        long half = poll / 2;
        poll = Math.min(poll * 2, LONGEST_POLL.toNanos());
        return half + ThreadLocalRandom.current().nextLong(half + 1);
    }
}
