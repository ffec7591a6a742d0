package io.holdfast.lock.jdbc.table;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Leaves limits to the driver, which counts whole seconds. */
final class DriverLimits implements StatementLimits {

    /** The only one: it keeps nothing. */
    static final StatementLimits INSTANCE = new DriverLimits();

    private DriverLimits() {}

    @Override
    public <T extends @Nullable Object> T run(PreparedStatement statement, Duration limit, Sql.Execution<T> execution)
            throws SQLException {
        int seconds = Timeouts.seconds(limit);
        if (statement.getQueryTimeout() != seconds) {
            // Setting it costs a round trip in H2, which keeps it for the connection.
            statement.setQueryTimeout(seconds);
        }
        return execution.of(statement);
    }

    @Override
    public void close() {}
}
