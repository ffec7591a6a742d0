package io.holdfast.lock.jdbc.table;

import io.holdfast.lock.LockStoreException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Decides now and then that the records which dead holders have left, and that nobody asks for again, are removed.
 *
 * <p>By chance and not by count: a program that locks once and ends takes part, too.
 *
 * @param oneIn how many releases there are to one sweep, on average
 */
public record Sweeper(int oneIn) {

    /** Unless set otherwise. */
    public static final int USUALLY = 256;

    /** Of each statement by JDBC, and of each wait for a row by JPA. */
    public static final Duration LIMIT = Timeouts.LEAST;

    private static final Logger LOG = System.getLogger("io.holdfast.lock.jdbc");

    /** Removes records that ended long ago. The release waits for it, so {@link #LIMIT} bounds each step. */
    public interface Sweep {
        /**
         * Removes some of them.
         *
         * @return how many
         * @throws LockStoreException if the database fails
         */
        int sweep();
    }

    /**
     * Sweeps now and then. A failure is logged.
     *
     * @param records the records
     */
    public void afterRelease(Sweep records) {
        if (ThreadLocalRandom.current().nextInt(oneIn) != 0) {
            return;
        }
        try {
            records.sweep();
        } catch (LockStoreException failure) {
            // The lock is released, and that is what was asked for; another release will come to sweep.
            LOG.log(
                    Level.WARNING,
                    "Records of locks that ended long ago could not be removed: " + failure.getMessage());
        }
    }
}
