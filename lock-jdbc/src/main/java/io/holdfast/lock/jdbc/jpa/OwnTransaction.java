package io.holdfast.lock.jdbc.jpa;

import io.holdfast.lock.jdbc.table.Pooled;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityTransaction;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.hibernate.Session;

/**
 * One transaction, in an entity manager and on a connection of its own. Not thread-safe.
 *
 * <p>To close it gives the connection back, whatever has happened. What was not committed is rolled back before that: an entity
 * manager that is closed in the middle of a transaction keeps its connection, and the connection its locks.
 */
final class OwnTransaction implements AutoCloseable {

    private static final Logger LOG = System.getLogger("io.holdfast.lock");

    private static final String ANOTHER_CONNECTION =
            "the persistence provider gives the connection back in the middle of a"
                    + " transaction; allowed is a hibernate.connection.handling_mode that keeps it until the end of the transaction";
    private static final String AUTOCOMMIT =
            "the connection is in autocommit in the middle of a transaction; allowed is"
                    + " hibernate.connection.provider_disables_autocommit only where the pool has autocommit off";

    private final EntityManager manager;
    private final Borrowed borrowed;

    /**
     * A transaction that has not begun.
     *
     * @param manager its entity manager, which has its connection
     * @param borrowed the connection
     */
    OwnTransaction(EntityManager manager, Borrowed borrowed) {
        this.manager = manager;
        this.borrowed = borrowed;
    }

    /**
     * A connection of the pool.
     *
     * @param connection the connection
     * @param networkTimeout what it came with, in milliseconds
     * @param pool where it came from, if that is known
     */
    record Borrowed(Connection connection, int networkTimeout, Optional<Pooled> pool) {
        void giveBackItsTimeout() throws SQLException {
            connection.setNetworkTimeout(Runnable::run, networkTimeout);
        }

        /** A pool may take a lost connection for sound, and lend it again. */
        void evictIfLost() {
            pool.ifPresent(whose -> whose.evictIfLost(connection));
        }

        /** A connection that is no more has nothing to get back. */
        void giveBackItsTimeoutAfter(SQLException reason) {
            try {
                giveBackItsTimeout();
            } catch (SQLException lost) {
                reason.addSuppressed(lost);
            }
        }
    }

    /** How a transaction ends. */
    private interface Ending {
        void of(Connection connection) throws SQLException;
    }

    EntityManager manager() {
        return manager;
    }

    /**
     * Begins.
     *
     * @return why it is no transaction after all, so that what it locks would not stay locked; empty if it is one
     */
    Optional<String> begin() {
        manager.getTransaction().begin();
        return Transactions.withConnection(manager, connection -> {
            if (connection != borrowed.connection()) {
                return Optional.of(ANOTHER_CONNECTION);
            }
            return connection.getAutoCommit() ? Optional.of(AUTOCOMMIT) : Optional.empty();
        });
    }

    /** Commits, unless it was marked for rollback, which closing it does. */
    void end() {
        EntityTransaction transaction = manager.getTransaction();
        if (!transaction.getRollbackOnly()) {
            end(Connection::commit);
            afterwards(transaction::commit);
        }
    }

    /**
     * Ends the transaction on the connection itself, and gives it back its time-out. The persistence provider's own end of the
     * transaction, which then has nothing left to do, may give the connection back to the pool.
     */
    private void end(Ending ending) {
        manager.unwrap(Session.class).doWork(connection -> {
            try {
                ending.of(connection);
            } catch (SQLException failure) {
                borrowed.giveBackItsTimeoutAfter(failure);
                throw failure;
            }
            borrowed.giveBackItsTimeout();
        });
    }

    @Override
    public void close() {
        try {
            afterwards(this::rollBack);
        } finally {
            borrowed.evictIfLost();
            afterwards(manager::close);
        }
    }

    /** What fails once the outcome is certain is no failure of the operation: most likely the connection was lost. */
    static void afterwards(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException failure) {
            LOG.log(Level.DEBUG, "A connection could not be given back as it came", failure);
        }
    }

    private void rollBack() {
        EntityTransaction transaction = manager.getTransaction();
        if (!transaction.isActive()) {
            return;
        }
        try {
            end(Connection::rollback);
        } finally {
            // Also if that failed: a manager that is closed in an active one keeps its connection.
            transaction.rollback();
        }
    }
}
