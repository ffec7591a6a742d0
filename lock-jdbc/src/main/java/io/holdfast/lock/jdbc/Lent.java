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

/** A borrowed connection. It is in autocommit while we have it, and goes back as it came. Used by one thread at a time. */
final class Lent {

    private static final Logger LOG = System.getLogger("io.holdfast.lock");

    /** What the databases say when a transaction stands in the way of a setting. */
    private static final String IN_TRANSACTION = "25001";

    /** So long after its last use a connection is tried out: a firewall may have cut it. Pools do the same. */
    private static final Duration TRUSTED = Duration.ofMillis(500);

    private static final int TRIAL_SECONDS = 2;

    private final Connection connection;
    private final Predicate<Connection> eviction;
    private final Stopwatch rest = new Stopwatch();
    private OptionalInt networkTimeout = OptionalInt.empty();
    private OptionalInt queryTimeout = OptionalInt.empty();
    private boolean switched;
    private boolean prepared;
    private boolean doubtful;

    /**
     * A connection that was just borrowed.
     *
     * @param eviction has the pool drop a lost connection; false if it has to be closed as any other
     */
    Lent(Connection connection, Predicate<Connection> eviction) {
        this.connection = connection;
        this.eviction = eviction;
    }

    /** Asks whether a connection with autocommit off is in no transaction: to switch it would commit that. */
    interface Untouched {
        boolean test(Connection connection) throws SQLException;
    }

    /**
     * The connection, in autocommit.
     *
     * @param silence how long the database may be silent
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

    /** Limits how long the database may be silent. */
    void bound(Duration silence) throws SQLException {
        if (networkTimeout.isEmpty()) {
            networkTimeout = OptionalInt.of(connection.getNetworkTimeout());
        }
        connection.setNetworkTimeout(Runnable::run, (int) silence.toMillis());
    }

    /** Even a thread of ours may get the connection of a transaction of the application, from a source that has only one. */
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
            throw DatabaseFailures.inOurWords(
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

    /** A statement failed: the connection may be lost. */
    void doubt() {
        doubtful = true;
    }

    /** Begins to lie idle. */
    void rest() {
        rest.restart();
    }

    /** Whether others can go on with it. */
    boolean isFit() {
        try {
            return prepared && !connection.isClosed();
        } catch (SQLException broken) {
            return false;
        }
    }

    /** Whether it is worth a statement. Asks the database, unless the connection was in use a moment ago. */
    boolean isUsable() {
        if (doubtful || rest.hasRunFor(TRUSTED)) {
            doubtful = !isAlive();
        }
        return !doubtful;
    }

    private boolean isAlive() {
        try {
            return connection.isValid(TRIAL_SECONDS);
        } catch (SQLException | RuntimeException broken) {
            // The proxies of some pools throw here.
            LOG.log(Level.DEBUG, "A connection is lost", broken);
            return false;
        }
    }

    /** Gives the connection back as it came. Of one that is lost the pool is told, which may not notice and lend it again. */
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
            // H2 keeps that of a statement for the whole connection.
            try (Statement statement = connection.createStatement()) {
                statement.setQueryTimeout(queryTimeout.getAsInt());
            }
        }
        if (networkTimeout.isPresent()) {
            connection.setNetworkTimeout(Runnable::run, networkTimeout.getAsInt());
        }
    }
}
