package io.holdfast.lock.spi;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.LossCause;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/** The answer to a renewal. */
public sealed interface Renewal {

    /**
     * The claim is in force.
     *
     * @param validFor how long it is good for at least, counted from just before the call
     * @param storeTime what the store's clock said; empty if the provider does not know
     */
    record Held(Duration validFor, Optional<StoreTime> storeTime) implements Renewal {

        /**
         * Creates the answer.
         *
         * @param validFor how long it is good for at least, counted from just before the call
         * @param storeTime what the store's clock said; empty if the provider does not know
         */
        public Held {
            Objects.requireNonNull(validFor, "validFor");
            Objects.requireNonNull(storeTime, "storeTime");
        }

        /**
         * The answer of a store whose clock the provider does not know.
         *
         * @param validFor how long it is good for at least, counted from just before the call
         */
        public Held(Duration validFor) {
            this(validFor, Optional.empty());
        }

        /**
         * The same answer, and what the store's clock said.
         *
         * @param time what it said
         * @return the answer
         */
        public Held at(StoreTime time) {
            return new Held(validFor, Optional.of(Objects.requireNonNull(time, "time")));
        }
    }

    /**
     * The claim is gone, for good.
     *
     * @param cause why: {@link LossCause#EXPIRED} or {@link LossCause#TAKEN_OVER} where the store tells which, and the latter
     *     where it only knows that the record is not this claim's; {@link LossCause#SESSION_ENDED} if it ended with the session
     *     of its client
     */
    record Lost(LossCause cause) implements Renewal {

        /**
         * Creates the answer.
         *
         * @param cause why
         */
        public Lost {
            Objects.requireNonNull(cause, "cause");
        }
    }

    /**
     * The outcome for this claim of a batch is unknown: its earlier deadline stands. A single {@link Claim#renew()} throws
     * instead.
     *
     * @param failure what went wrong
     */
    record Unknown(LockStoreException failure) implements Renewal {

        /**
         * Creates the answer.
         *
         * @param failure what went wrong
         */
        public Unknown {
            Objects.requireNonNull(failure, "failure");
        }
    }
}
