package io.holdfast.lock.tck;

import java.time.Duration;

/** A chapter of the contract: each rule a test in a default method, so that it is reported as a test of the provider's class. */
interface Rules {

    /** What the running test works with. */
    Kit kit();

    /** Whether a claim that waits for hints gets the lock soon: called just after the release that has to wake it. */
    static boolean isWoken(Call<Boolean> waiter) {
        return isWokenWithin(Pace.WOKEN_WITHIN, waiter);
    }

    /** Does the same with another limit. */
    static boolean isWokenWithin(Duration time, Call<Boolean> waiter) {
        boolean ended = Pace.within(time, waiter::isDone);
        if (!ended) {
            // The kit will release its claim, which one thread at a time may use.
            waiter.interrupt();
        }
        return ended && waiter.result();
    }

    /** Waits for a wake-up, where the store sends any: a grant may come with it. */
    default void awaitHint(DrivenClaim waiter, int before) {
        boolean unused = Capability.PUSHED.isMetBy(kit().capabilities())
                && Pace.within(Pace.WOKEN_WITHIN, () -> waiter.hints() > before);
    }
}
