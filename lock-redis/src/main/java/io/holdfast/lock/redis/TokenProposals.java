package io.holdfast.lock.redis;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Proposes tokens so that usually all nodes of a quorum give the same one, which takes one round of requests: a little ahead of
 * the clocks of all nodes, as seen in their answers. A proposal that is too low or too high costs a second round and nothing
 * else. Thread-safe.
 */
final class TokenProposals {

    /** More than the clocks of the nodes differ, and than a request takes. */
    private static final long AHEAD_MICROS = 100_000;

    /** A clock that was set back is forgotten after this time. */
    private static final long REMEMBERED_MICROS = Duration.ofSeconds(10).toNanos() / 1_000;

    private final LongSupplier micros;
    private boolean known;
    private long offset;
    private long offsetSeenAt;
    private long latest;

    /**
     * Creates proposals.
     *
     * @param micros this client's clock, which never goes back
     */
    TokenProposals(LongSupplier micros) {
        this.micros = micros;
    }

    /** The next proposal, above all earlier ones; 0 before the first answer. */
    synchronized long next() {
        if (!known) {
            return 0;
        }
        latest = Math.max(latest + 1, micros.getAsLong() + offset + AHEAD_MICROS);
        return latest;
    }

    /** A node has answered with its time. */
    synchronized void seen(long nodeMicros) {
        long now = micros.getAsLong();
        if (!known || nodeMicros - now > offset || now - offsetSeenAt > REMEMBERED_MICROS) {
            known = true;
            offset = nodeMicros - now;
            offsetSeenAt = now;
        }
    }
}
