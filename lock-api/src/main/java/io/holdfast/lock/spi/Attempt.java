package io.holdfast.lock.spi;

import io.holdfast.lock.FencingToken;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/** The store's answer to an attempt. */
public sealed interface Attempt {

    /**
     * The lock is this claim's.
     *
     * @param fencingToken greater than that of every earlier grant of the name; empty where the store has no tokens
     * @param validFor how long the grant is good for at least, counted from just before the call: a true lower bound
     */
    record Granted(Optional<FencingToken> fencingToken, Duration validFor) implements Attempt {

        /**
         * Creates the answer.
         *
         * @param fencingToken greater than that of every earlier grant of the name; empty where the store has no tokens
         * @param validFor how long the grant is good for at least, counted from just before the call
         */
        public Granted {
            Objects.requireNonNull(fencingToken, "fencingToken");
            Objects.requireNonNull(validFor, "validFor");
        }

        /**
         * A grant with a token.
         *
         * @param token the token
         * @param validFor how long the grant is good for at least, counted from just before the call
         */
        public Granted(FencingToken token, Duration validFor) {
            this(Optional.of(Objects.requireNonNull(token, "token")), validFor);
        }
    }

    /**
     * Somebody else holds the lock, or comes first.
     *
     * @param retryAfter after what time to attempt again if no wake-up comes before: at the latest when the holder's lease ends;
     *     empty if the store does not know when that is
     */
    record Contended(Optional<Duration> retryAfter) implements Attempt {

        /**
         * Creates the answer.
         *
         * @param retryAfter after what time to attempt again if no wake-up comes before: at the latest when the holder's lease
         *     ends; empty if the store does not know when that is
         */
        public Contended {
            Objects.requireNonNull(retryAfter, "retryAfter");
        }
    }
}
