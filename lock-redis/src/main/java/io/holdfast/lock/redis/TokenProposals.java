package io.holdfast.lock.redis;

import java.time.Duration;

/**
 * Proposes tokens so that usually all nodes of a quorum give the same one, which takes one round of requests: a little ahead of the clocks of all
 * nodes, as seen in their answers. A proposal that is too low or too high costs a second round and nothing else. Thread-safe.
 */
final class TokenProposals {

    /** More than the clocks of the nodes differ, and than a request takes. */
    private static final long AHEAD_MICROS = 100_000;

    /** A clock that was set back is forgotten after this time. */
    private static final long REMEMBERED_MICROS = Duration.ofSeconds(10).toNanos() / 1_000;

    private boolean known;
    private long offset;
    private long offsetSeenAt;
    private long latest;

    private static long micros() {
        return System.nanoTime() / 1_000;
    }

    /** The next proposal, above all earlier ones; 0 before the first answer. */
    synchronized long next() {
        if (!known) {
            return 0;
        }
        latest = Math.max(latest + 1, micros() + offset + AHEAD_MICROS);
        return latest;
    }

    /** A node has answered with its time. */
    synchronized void seen(long nodeMicros) {
        long now = micros();
        if (!known || nodeMicros - now > offset || now - offsetSeenAt > REMEMBERED_MICROS) {
            known = true;
            offset = nodeMicros - now;
            offsetSeenAt = now;
        }
    }
}
