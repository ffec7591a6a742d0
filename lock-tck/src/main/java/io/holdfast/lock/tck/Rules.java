package io.holdfast.lock.tck;

/** A chapter of the contract: each rule a test in a default method, so that it is reported as a test of the provider's class. */
interface Rules {

    /** What the running test works with. */
    Kit kit();

    /** Whether a claim that waits for hints gets the lock soon: called just after the release that has to wake it. */
    static boolean isWoken(Call<Boolean> waiter) {
        return Pace.within(Pace.WOKEN_WITHIN, waiter::isDone) && waiter.result();
    }

    /** Waits for a wake-up, where the store sends any: a grant may come with it. */
    default void awaitHint(DrivenClaim waiter, int before) {
        boolean unused = Capability.PUSHED.isMetBy(kit().capabilities())
                && Pace.within(Pace.WOKEN_WITHIN, () -> waiter.hints() > before);
    }
}
