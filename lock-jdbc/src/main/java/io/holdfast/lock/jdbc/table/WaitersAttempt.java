package io.holdfast.lock.jdbc.table;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimRequest.Intent;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * The attempt of a claim that waits. Connections that somebody cuts while the database is up do not end the wait: the attempt is repeated on
 * another connection. An attempt may be repeated (rule 1.3). Those that do not wait are sent once.
 */
public final class WaitersAttempt {

    private static final Logger LOG = System.getLogger("io.holdfast.lock");

    /**
     * So many connections are tried, one after the other, before a call fails. A pool lends those that were in use or made a moment ago
     * without a trial, and after a cut all of them may be lost; most pools have fewer.
     */
    public static final int MOST_TRIALS = 100;

    /** The last repetition begins within this time, so that a call does not take twice its time-out. A cut is noticed at once. */
    private static final Duration REPEATED_WITHIN = Duration.ofSeconds(2);

    private WaitersAttempt() {}

    /**
     * Sends an attempt.
     *
     * @param request of the claim
     * @param attempt the attempt
     * @return the answer
     */
    public static Attempt send(ClaimRequest request, Supplier<Attempt> attempt) {
        Stopwatch tried = new Stopwatch();
        for (int sent = 1; ; sent++) {
            try {
                return attempt.get();
            } catch (LockStoreException failure) {
                boolean again =
                        request.intent() == Intent.WAIT && sent < MOST_TRIALS && !tried.hasRunFor(REPEATED_WITHIN);
                if (!again || !DatabaseFailures.isLostConnection(failure)) {
                    throw failure;
                }
                LOG.log(Level.DEBUG, "A connection is lost, and the waiting acquire uses another one", failure);
            }
        }
    }
}
