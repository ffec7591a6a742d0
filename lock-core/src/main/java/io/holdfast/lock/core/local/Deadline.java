package io.holdfast.lock.core.local;

import io.holdfast.lock.core.runtime.EngineRuntime;
import io.holdfast.lock.core.runtime.Nanos;
import io.holdfast.lock.spi.ClaimRequest;
import java.time.Duration;

/** When one acquire gives up: fixed when the call begins, whatever it goes through afterwards. */
public record Deadline(Kind kind, long at) {

    public static final Deadline NEVER = new Deadline(Kind.NEVER, 0);
    public static final Deadline AT_ONCE = new Deadline(Kind.AT_ONCE, 0);

    /** How long to wait. */
    public enum Kind {
        /** Wait for as long as it takes. */
        NEVER,
        /** Give up at a reading of the clock. */
        AT_TIME,
        /** One attempt. */
        AT_ONCE
    }

    /** A deadline that is so far away; none or less means one attempt. */
    public static Deadline after(Duration maxWait, EngineRuntime runtime) {
        if (maxWait.isZero() || maxWait.isNegative()) {
            return AT_ONCE;
        }
        return new Deadline(Kind.AT_TIME, runtime.now() + Nanos.of(maxWait));
    }

    boolean isOver(long now) {
        return switch (kind) {
            case NEVER -> false;
            case AT_TIME -> now - at >= 0;
            case AT_ONCE -> true;
        };
    }

    ClaimRequest.Intent intent() {
        return kind == Kind.AT_ONCE ? ClaimRequest.Intent.TRY_ONCE : ClaimRequest.Intent.WAIT;
    }

    /** A reading of the clock, or the deadline if that comes first. */
    long orEarlier(long reading) {
        return kind == Kind.AT_TIME && at - reading < 0 ? at : reading;
    }
}
