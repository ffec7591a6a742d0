package io.holdfast.lock.spi;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.LossCause;
import java.time.Duration;
import java.util.Objects;

/** The answer to a renewal. */
public sealed interface Renewal {

    /**
     * The claim is in force.
     *
     * @param validFor how long it is good for at least, counted from just before the call
     */
    record Held(Duration validFor) implements Renewal {

        /**
         * Creates the answer.
         *
         * @param validFor how long it is good for at least, counted from just before the call
         */
        public Held {
            Objects.requireNonNull(validFor, "validFor");
        }
    }

    /**
     * The claim is gone, for good.
     *
     * @param cause why; {@link LossCause#TAKEN_OVER} where the store only knows that the record is not this claim's
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
