package io.holdfast.lock.jdbc;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.jdbc.table.Borrowing;
import io.holdfast.lock.jdbc.table.StoreFailures;
import io.holdfast.lock.jdbc.table.Timeouts;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Runs single statements, each on a connection of its own in autocommit, within a {@linkplain Timeouts time limit}.
 */
final class Connections implements AutoCloseable {

    private final DataSource source;
    private final AutoCloseable owned;
    private final StoreFailures failures;
    private final Duration timeout;
    private final Duration usual;
    private volatile boolean closed;

    /**
     * Over a source of connections.
     *
     * @param owned closed with this; does nothing where the source is the application's
     */
    Connections(DataSource source, AutoCloseable owned, StoreFailures failures, Duration timeout) {
        this(source, owned, failures, timeout, timeout);
    }

    private Connections(
            DataSource source, AutoCloseable owned, StoreFailures failures, Duration timeout, Duration usual) {
        this.source = source;
        this.owned = owned;
        this.failures = failures;
        this.timeout = timeout;
        this.usual = usual;
    }

    /** Reads what a statement returned. */
    interface Rows<T extends @Nullable Object> {
        T read(ResultSet rows) throws SQLException;
    }

    /** Prepares a statement. */
    interface Preparation {
        PreparedStatement of(Connection connection, String text) throws SQLException;
    }

    /** Executes a statement and reads what has become of it. */
    interface Execution<T extends @Nullable Object> {
        T of(PreparedStatement statement) throws SQLException;
    }

    /** Does something with a connection. */
    interface Use<T extends @Nullable Object> {
        T with(Connection connection) throws SQLException;
    }

    /** The same with another limit for each statement. Closed with this one, not by itself. */
    Connections within(Duration limit) {
        return new Connections(source, () -> {}, failures, limit, usual);
    }

    <T extends @Nullable Object> T query(Sql sql, Map<String, Object> values, Rows<T> rows) throws SQLException {
        return run(sql, values, Connection::prepareStatement, statement -> {
            try (ResultSet found = statement.executeQuery()) {
                return rows.read(found);
            }
        });
    }

    <T extends @Nullable Object> T run(
            Sql sql, Map<String, Object> values, Preparation preparation, Execution<T> execution) throws SQLException {
        return use(connection -> {
            try (PreparedStatement statement = preparation.of(connection, sql.text(values))) {
                limit(statement, timeout);
                sql.bind(statement, values);
                try {
                    return execution.of(statement);
                } finally {
                    if (!timeout.equals(usual)) {
                        // H2 keeps the limit of a statement for the whole connection, which others use after this.
                        limit(statement, usual);
                    }
                }
            }
        });
    }

    void execute(String statementText) throws SQLException {
        use(connection -> {
            try (Statement statement = connection.createStatement()) {
                limit(statement, timeout);
                return statement.execute(statementText);
            }
        });
    }

    <T extends @Nullable Object> T use(Use<T> use) throws SQLException {
        try (Connection connection = open()) {
            int before = connection.getNetworkTimeout();
            setNetworkTimeout(connection, (int) Timeouts.ofNetwork(timeout).toMillis());
            T result;
            try {
                result = use.with(connection);
            } catch (SQLException | RuntimeException failure) {
                restore(connection, before, failure);
                throw failure;
            }
            setNetworkTimeout(connection, before);
            return result;
        }
    }

    /** A connection that is no more has nothing to restore. */
    private static void restore(Connection connection, int networkTimeout, Exception reason) {
        try {
            setNetworkTimeout(connection, networkTimeout);
        } catch (SQLException lost) {
            reason.addSuppressed(lost);
        }
    }

    private static void limit(Statement statement, Duration limit) throws SQLException {
        statement.setQueryTimeout(Timeouts.seconds(limit));
    }

    private static void setNetworkTimeout(Connection connection, int millis) throws SQLException {
        connection.setNetworkTimeout(Runnable::run, millis);
    }

    private Connection open() throws SQLException {
        return Borrowing.uninterruptibly(this::openInterruptibly);
    }

    /** For a thread of ours, which nobody interrupts but to end it. */
    Connection openInterruptibly() throws SQLException {
        return inAutocommit(source.getConnection());
    }

    /**
     * Refuses a connection that is in a transaction, or would begin one. It may be the one of the application's own
     * transaction, bound to the thread: to switch it to autocommit would commit that.
     */
    private Connection inAutocommit(Connection connection) throws SQLException {
        boolean autocommit = false;
        try {
            autocommit = connection.getAutoCommit();
        } finally {
            if (!autocommit) {
                connection.close();
            }
        }
        if (!autocommit) {
            throw new LockStoreException(failures.place() + ": the data source gave a connection with"
                    + " autocommit off, which may be in a transaction of the application; allowed is a data source whose"
                    + " connections are in autocommit and are not bound to a thread or a transaction");
        }
        return connection;
    }

    StoreFailures failures() {
        return failures;
    }

    /** Refuses an operation after the end, also where the source of the connections goes on. */
    void requireOpen(String what) {
        if (closed) {
            throw failures.because(what, "the provider is closed");
        }
    }

    @Override
    public void close() {
        closed = true;
        try {
            owned.close();
        } catch (Exception failure) {
            throw failures.because("close", String.valueOf(failure.getMessage()), failure);
        }
    }
}
