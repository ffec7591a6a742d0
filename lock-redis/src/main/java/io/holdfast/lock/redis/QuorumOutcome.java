package io.holdfast.lock.redis;

import io.holdfast.lock.LockStoreException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** How a {@link QuorumAttempt} ended. */
sealed interface QuorumOutcome {

    /**
     * A majority granted it.
     *
     * @param token of the grant
     */
    record Granted(long token) implements QuorumOutcome {}

    /**
     * A majority answered, and too few granted it.
     *
     * @param heldFor how long the claim that a majority named is in force at most; empty if it has no end, or if they named
     *     several
     * @param by why it is contended
     */
    record Contended(Optional<Duration> heldFor, By by) implements QuorumOutcome {}

    /** Whose claims refused an attempt. */
    enum By {
        /** A claim that will publish its release. */
        HOLDER,
        /** What another program wrote. */
        FOREIGN,
        /** No single claim has a majority. */
        SPLIT
    }

    /**
     * Too few nodes answered.
     *
     * @param failures those of the others
     */
    record Failed(List<LockStoreException> failures) implements QuorumOutcome {}
}
