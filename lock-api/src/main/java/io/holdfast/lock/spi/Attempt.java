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
     * @param storeTime what the store's clock said; empty if the provider does not know. One that tells it here tells it in
     *     renewals, too
     * @param tokens how many tokens are this grant's: the fencing token and those that follow it. At least 1, and 1 without a
     *     token
     */
    record Granted(Optional<FencingToken> fencingToken, Duration validFor, Optional<StoreTime> storeTime, int tokens)
            implements Attempt {

        /**
         * Creates the answer.
         *
         * @param fencingToken greater than that of every earlier grant of the name; empty where the store has no tokens
         * @param validFor how long the grant is good for at least, counted from just before the call
         * @param storeTime what the store's clock said; empty if the provider does not know
         * @param tokens how many tokens are this grant's
         */
        public Granted {
            Objects.requireNonNull(fencingToken, "fencingToken");
            Objects.requireNonNull(validFor, "validFor");
            Objects.requireNonNull(storeTime, "storeTime");
            if (tokens < 1 || (tokens > 1 && fencingToken.isEmpty())) {
                throw new IllegalArgumentException(
                        "The grant has " + tokens + " tokens; allowed are 1, and more if there is a fencing token");
            }
        }

        /**
         * A grant with one token at most.
         *
         * @param fencingToken greater than that of every earlier grant of the name; empty where the store has no tokens
         * @param validFor how long the grant is good for at least, counted from just before the call
         * @param storeTime what the store's clock said; empty if the provider does not know
         */
        public Granted(Optional<FencingToken> fencingToken, Duration validFor, Optional<StoreTime> storeTime) {
            this(fencingToken, validFor, storeTime, 1);
        }

        /**
         * A grant by a store whose clock the provider does not know.
         *
         * @param fencingToken greater than that of every earlier grant of the name; empty where the store has no tokens
         * @param validFor how long the grant is good for at least, counted from just before the call
         */
        public Granted(Optional<FencingToken> fencingToken, Duration validFor) {
            this(fencingToken, validFor, Optional.empty());
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

        /**
         * The same grant, and what the store's clock said.
         *
         * @param time what it said
         * @return the answer
         */
        public Granted at(StoreTime time) {
            return new Granted(fencingToken, validFor, Optional.of(Objects.requireNonNull(time, "time")), tokens);
        }

        /**
         * The same grant for a call that began earlier.
         *
         * @param time by how much
         * @return the answer
         */
        public Granted startedEarlier(Duration time) {
            return new Granted(fencingToken, validFor.plus(Objects.requireNonNull(time, "time")), storeTime, tokens);
        }

        /**
         * The same grant with more tokens, for a store that has reserved them.
         *
         * @param count how many, the fencing token among them
         * @return the answer
         */
        public Granted withTokens(int count) {
            return new Granted(fencingToken, validFor, storeTime, count);
        }
    }

    /**
     * Somebody else holds the lock, or comes first.
     *
     * @param retryAfter after what time to attempt again if no wake-up comes before: at the latest when the holder's lease ends;
     *     too early costs an attempt, no more. Zero or less means soon: the engine still pauses for some milliseconds. Empty if
     *     the store does not know when the lease ends
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
