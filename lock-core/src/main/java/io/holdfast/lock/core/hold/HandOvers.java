package io.holdfast.lock.core.hold;

import java.time.Duration;

/**
 * How often, and until when, a claim may still be passed on from one holder of this client to the next: other clients wait
 * meanwhile.
 *
 * @param left how often
 * @param until the reading of the clock
 */
public record HandOvers(int left, long until) {

    private static final Duration LONGEST = Duration.ofSeconds(1);
    private static final HandOvers NONE = new HandOvers(0, 0);

    /** The hand-overs of a claim that is granted at a reading of the clock. */
    public static HandOvers from(long now, int most) {
        return most == 0 ? NONE : new HandOvers(most, now + LONGEST.toNanos());
    }

    boolean isPossibleAt(long now) {
        return left > 0 && until - now > 0;
    }

    HandOvers afterOne() {
        return new HandOvers(left - 1, until);
    }
}
