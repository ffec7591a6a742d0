package io.holdfast.lock.jdbc;

import io.holdfast.lock.jdbc.table.DatabaseFailures;
import io.holdfast.lock.jdbc.table.Stopwatch;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.function.Predicate;

/**
 * A borrowed connection: in autocommit while it is borrowed, and given back with the settings that it came with. Used
 * by one thread at a time.
 */
final class BorrowedConnection {

    private static final Logger LOG = System.getLogger("io.holdfast.lock");

    /** The SQLSTATE of a setting that is refused because of an open transaction. */
    private static final String IN_TRANSACTION = "25001";

    /** After so long without use a connection is tested: a firewall may have cut it. Pools do the same. */
    private static final Duration TRUSTED_FOR = Duration.ofMillis(500);

    private static final int TEST_SECONDS = 2;

    private final Connection connection;
    private final Predicate<Connection> eviction;
    private final Stopwatch idle = new Stopwatch();
    private OptionalInt networkTimeout = OptionalInt.empty();
    private OptionalInt queryTimeout = OptionalInt.empty();
    private boolean switched;
    private boolean prepared;
    private boolean doubtful;

    /**
     * Wraps a connection that was just borrowed.
     *
     * @param eviction makes the pool drop a lost connection; false if it has to be closed like any other
     */
    BorrowedConnection(Connection connection, Predicate<Connection> eviction) {
        this.connection = connection;
        this.eviction = eviction;
    }

    /** Tests that a connection with autocommit off is in no transaction: switching autocommit on would commit it. */
    interface Untouched {
        boolean test(Connection connection) throws SQLException;
    }

    /**
     * Switches the connection to autocommit.
     *
     * @param silence how long the database may stay silent
     */
    Connection prepared(Duration silence, Untouched untouched) throws SQLException {
        bound(silence);
        if (!prepared) {
            queryTimeout = OptionalInt.of(queryTimeout());
            if (!connection.getAutoCommit()) {
                requireUntouched(untouched);
                connection.setAutoCommit(true);
                switched = true;
            }
            prepared = true;
        }
        return connection;
    }

    /** Limits how long the database may stay silent. */
    void bound(Duration silence) throws SQLException {
        if (networkTimeout.isEmpty()) {
            networkTimeout = OptionalInt.of(connection.getNetworkTimeout());
        }
        connection.setNetworkTimeout(Runnable::run, (int) silence.toMillis());
    }

    /**
     * Refuses a connection that is in a transaction of the application, as a source with a single connection may give
     * one.
     */
    private void requireUntouched(Untouched untouched) throws SQLException {
        boolean free;
        try {
            free = untouched.test(connection);
        } catch (SQLException failure) {
            if (!IN_TRANSACTION.equals(failure.getSQLState())) {
                throw failure;
            }
            free = false;
        }
        if (!free) {
            throw DatabaseFailures.ownFailure(
                    "the data source gave a connection with autocommit off that is in a transaction"
                            + " of the application; allowed is a data source whose connections are not bound to a transaction");
        }
    }

    private int queryTimeout() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return statement.getQueryTimeout();
        }
    }

    /** The connection as it is. */
    Connection connection() {
        return connection;
    }

    /** Marks the connection as possibly lost, after a statement failed. */
    void markDoubtful() {
        doubtful = true;
    }

    /** Starts the idle time. */
    void startIdleTime() {
        idle.restart();
    }

    /** Whether other calls can use it. */
    boolean isFit() {
        try {
            return prepared && !connection.isClosed();
        } catch (SQLException broken) {
            return false;
        }
    }

    /** Whether it works. Asks the database, unless the connection was in use a moment ago. */
    boolean isUsable() {
        if (doubtful || idle.hasRunFor(TRUSTED_FOR)) {
            doubtful = !isAlive();
        }
        return !doubtful;
    }

    private boolean isAlive() {
        try {
            return connection.isValid(TEST_SECONDS);
        } catch (SQLException | RuntimeException broken) {
            // Some pools' proxies throw unchecked exceptions.
            LOG.log(Level.DEBUG, "A connection is lost", broken);
            return false;
        }
    }

    /**
     * Gives the connection back with its former settings. A lost one is reported to the pool, which may not notice and
     * lend it again.
     */
    void giveBack() {
        try {
            if (isRestored() || !eviction.test(connection)) {
                connection.close();
            }
        } catch (SQLException lost) {
            LOG.log(Level.DEBUG, "A connection that is lost could not be closed", lost);
        }
    }

    private boolean isRestored() {
        try {
            if (connection.isClosed() || (doubtful && !isUsable())) {
                return false;
            }
            restore();
            return true;
        } catch (SQLException lost) {
            LOG.log(Level.DEBUG, "A connection was lost", lost);
            return false;
        }
    }

    private void restore() throws SQLException {
        if (switched) {
            connection.setAutoCommit(false);
        }
        if (queryTimeout.isPresent()) {
            // H2 keeps a statement's time-out for the whole connection.
            try (Statement statement = connection.createStatement()) {
                statement.setQueryTimeout(queryTimeout.getAsInt());
            }
        }
        if (networkTimeout.isPresent()) {
            connection.setNetworkTimeout(Runnable::run, networkTimeout.getAsInt());
        }
    }
}
