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
 * Repeats the attempt of a waiting claim on another connection if its connection was lost while the database is up. An
 * attempt may be repeated (rule 1.3). A claim that does not wait sends one.
 */
public final class RepeatedAttempt {

    private static final Logger LOG = System.getLogger("io.holdfast.lock");

    /**
     * The most connections that one call tries. After a cut all connections of a pool may be lost, and it lends those
     * untested that it used or opened a moment ago; most pools have fewer.
     */
    public static final int MOST_CONNECTIONS = 100;

    /**
     * The last repetition begins within this time, so that a call does not take twice its time-out. A cut shows at
     * once.
     */
    private static final Duration REPEATED_WITHIN = Duration.ofSeconds(2);

    private RepeatedAttempt() {}

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
                        request.intent() == Intent.WAIT && sent < MOST_CONNECTIONS && !tried.hasRunFor(REPEATED_WITHIN);
                if (!again || !DatabaseFailures.isLostConnection(failure)) {
                    throw failure;
                }
                LOG.log(Level.DEBUG, "A connection was lost; the waiting acquire uses another one", failure);
            }
        }
    }
}
