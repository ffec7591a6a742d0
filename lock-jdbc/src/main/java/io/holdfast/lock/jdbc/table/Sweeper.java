package io.holdfast.lock.jdbc.table;

import io.holdfast.lock.LockStoreException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Removes from time to time the records that holders have left that died or were too late, and that nobody asks for
 * again.
 *
 * <p>By chance and not by count, so that short-lived programs take part, too.
 *
 * @param oneIn the average number of releases for one sweep
 */
public record Sweeper(int oneIn) {

    /** The usual average. */
    public static final int USUALLY = 256;

    /** The limit of each statement by JDBC. By JPA, how long a client that stops can keep rows locked, in PostgreSQL. */
    public static final Duration LIMIT = Timeouts.LEAST;

    private static final Logger LOG = System.getLogger("io.holdfast.lock.jdbc");

    /**
     * Sweeps by chance. A failure is logged.
     *
     * @param records the records
     */
    public void afterRelease(LockRecords records) {
        if (ThreadLocalRandom.current().nextInt(oneIn) != 0) {
            return;
        }
        try {
            records.sweep();
        } catch (LockStoreException failure) {
            // The lock is released, as asked; a later release will sweep again.
            LOG.log(
                    Level.WARNING,
                    "Records of locks that ended long ago could not be removed: " + failure.getMessage());
        }
    }
}
