package io.holdfast.lock.jdbc.table;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Has statements cancelled that run for too long. Thread-safe. */
public interface StatementLimits extends AutoCloseable {

    /**
     * Executes a statement.
     *
     * @param statement with its values
     * @param limit after which the database is asked to cancel it
     * @param execution executes it
     * @param <T> the outcome
     * @return the outcome
     * @throws SQLException if it fails, also because it was cancelled
     */
    <T extends @Nullable Object> T run(PreparedStatement statement, Duration limit, Sql.Execution<T> execution)
            throws SQLException;

    @Override
    void close();
}
