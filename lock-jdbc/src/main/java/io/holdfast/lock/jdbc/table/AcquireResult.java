package io.holdfast.lock.jdbc.table;

import io.holdfast.lock.FencingToken;
import java.time.Duration;
import java.util.Optional;

/**
 * The answer to an attempt.
 *
 * @param token of the grant; empty if it was refused
 * @param remaining what the holder's lease has left; empty if that is not known
 */
public record AcquireResult(Optional<FencingToken> token, Optional<Duration> remaining) {

    /** Refused for an unknown time. */
    public static final AcquireResult CONTENDED = new AcquireResult(Optional.empty(), Optional.empty());

    /**
     * A grant.
     *
     * @param token its token
     * @return the answer
     */
    public static AcquireResult granted(long token) {
        return new AcquireResult(Optional.of(new FencingToken(token)), Optional.empty());
    }

    /**
     * A refusal.
     *
     * @param remaining what the holder's lease has left
     * @return the answer
     */
    public static AcquireResult contended(Duration remaining) {
        return new AcquireResult(Optional.empty(), Optional.of(remaining));
    }
}
