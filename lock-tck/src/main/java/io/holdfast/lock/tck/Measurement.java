package io.holdfast.lock.tck;

import java.time.Duration;

/** A measurement that may not have watched the lock closely enough. */
interface Measurement {
    /** Few: after them the whole test is repeated, with longer leases. */
    int TRIES = 3;

    /** One that begins later might not end within the time-out of its test. */
    Duration TRIES_WITHIN = Duration.ofSeconds(50);

    /** Returns false if it did not watch closely enough to tell; throws if a rule is broken. */
    boolean run() throws Exception;

    /**
     * Repeats it until it is conclusive. Fails as inconclusive if it never is.
     *
     * @param testBegun when the test began
     * @param lease of the harness, for the failure
     */
    default void repeat(long testBegun, Duration lease) throws Exception {
        int tries = 0;
        do {
            if (run()) {
                return;
            }
            tries++;
        } while (tries < TRIES && Pace.since(testBegun).compareTo(TRIES_WITHIN) < 0);
        throw new InconclusiveError("the machine was too slow to tell: in " + tries
                + " tries the kit never got to watch the lock as closely as it has to. Run it on a quieter machine, or give"
                + " the harness a longer lease than " + lease.toMillis() + " ms");
    }
}
