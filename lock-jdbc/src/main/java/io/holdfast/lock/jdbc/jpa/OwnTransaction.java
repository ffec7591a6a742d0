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
import org.hibernate.jdbc.ReturningWork;

/**
 * One transaction with its own entity manager and connection. Not thread-safe.
 *
 * <p>Closing it always gives the connection back. What was not committed is rolled back before that: an entity manager
 * that is closed inside a transaction keeps its connection, and the connection its locks.
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
     * Creates a transaction that has not begun.
     *
     * @param manager its entity manager
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
     * @param networkTimeout its former time-out, in milliseconds
     * @param pool its pool, if known
     */
    record Borrowed(Connection connection, int networkTimeout, Optional<Pooled> pool) implements AutoCloseable {

        /** Restores the time-out. */
        @Override
        public void close() throws SQLException {
            connection.setNetworkTimeout(Runnable::run, networkTimeout);
        }

        /** Makes the pool drop a lost connection, which it might take for a working one and lend again. */
        void evictIfLost() {
            pool.ifPresent(known -> known.evictIfLost(connection));
        }
    }

    /** How a transaction ends. */
    private interface Ending {
        void of(Connection connection) throws SQLException;
    }

    /** Uses the connection of an entity manager. By Hibernate, as Jakarta Persistence 3.1 has no method for that. */
    static <T> T withConnection(EntityManager manager, ReturningWork<T> work) {
        return manager.unwrap(Session.class).doReturningWork(work);
    }

    EntityManager manager() {
        return manager;
    }

    /**
     * Begins.
     *
     * @return why row locks would not last until the end; empty if they do
     */
    Optional<String> begin() {
        manager.getTransaction().begin();
        return withConnection(manager, connection -> {
            if (connection != borrowed.connection()) {
                return Optional.of(ANOTHER_CONNECTION);
            }
            return connection.getAutoCommit() ? Optional.of(AUTOCOMMIT) : Optional.empty();
        });
    }

    /** Commits, unless it was marked for rollback; closing rolls back. */
    void end() {
        EntityTransaction transaction = manager.getTransaction();
        if (!transaction.getRollbackOnly()) {
            end(Connection::commit);
            ignoringFailure(transaction::commit);
        }
    }

    /**
     * Ends the transaction on the connection itself, and restores its time-out. The persistence provider's own commit,
     * which has nothing left to do then, may give the connection back to the pool.
     */
    private void end(Ending ending) {
        manager.unwrap(Session.class).doWork(connection -> {
            try (borrowed) {
                ending.of(connection);
            }
        });
    }

    @Override
    public void close() {
        try {
            ignoringFailure(this::rollBack);
        } finally {
            borrowed.evictIfLost();
            ignoringFailure(manager::close);
        }
    }

    /**
     * Runs a step after the outcome is certain: its failure is none of the operation. Most likely the connection was
     * lost.
     */
    static void ignoringFailure(Runnable step) {
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
            // Also if that failed: a manager that is closed in an active transaction keeps its connection.
            transaction.rollback();
        }
    }
}
