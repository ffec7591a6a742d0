package io.holdfast.lock.jdbc.table;

import java.sql.SQLException;

/** Waits for a connection of a pool, through interrupts. */
public final class Borrowing {

    private static final int MOST_BORROWINGS = 3;

    private Borrowing() {}

    /**
     * Gets a connection, or what holds one.
     *
     * @param <T> what is got
     */
    public interface Source<T> {
        /**
         * Gets it.
         *
         * @return what was got
         * @throws SQLException if there is none
         */
        T get() throws SQLException;
    }

    /**
     * Borrows a connection. An interrupt ends only the wait, in which nothing was sent. So the wait starts again, a few
     * times at most, and the thread stays interrupted.
     *
     * @param source where it comes from
     * @param <T> what is got
     * @return what was got
     * @throws SQLException if there is none
     */
    public static <T> T uninterruptibly(Source<T> source) throws SQLException {
        boolean interrupted = false;
        try {
            for (int borrowing = 1; ; borrowing++) {
                try {
                    return source.get();
                } catch (SQLException failure) {
                    boolean byInterrupt = DatabaseFailures.interrupted(failure);
                    // Some pools restore the flag, others do not.
                    interrupted |= Thread.interrupted() || byInterrupt;
                    if (!byInterrupt || borrowing == MOST_BORROWINGS) {
                        throw failure;
                    }
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
