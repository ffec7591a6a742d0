package io.holdfast.lock.jdbc.jpa;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.jdbc.table.Borrowing;
import io.holdfast.lock.jdbc.table.StoreFailures;
import jakarta.persistence.CacheRetrieveMode;
import jakarta.persistence.CacheStoreMode;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.EntityTransaction;
import jakarta.persistence.FlushModeType;
import jakarta.persistence.PersistenceException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Runs transactions, each in an entity manager and on a connection of its own, past every cache, within a time limit for each
 * statement.
 *
 * <p>What fails before the commit was asked for has written nothing. What fails in the commit has an unknown outcome.
 */
final class Transactions implements AutoCloseable {

    private static final Duration GRACE = Duration.ofSeconds(1);

    /** The connection stays the same from the first statement of an entity manager to its close, unless this says otherwise. */
    private static final String HANDLING_MODE = "hibernate.connection.handling_mode";

    private final EntityManagerFactory factory;
    private final JpaDialect dialect;
    private final StoreFailures failures;
    private final Duration timeout;
    private final Map<String, Object> properties;
    private final boolean keepsConnection;
    private volatile boolean closed;

    Transactions(EntityManagerFactory factory, JpaDialect dialect, StoreFailures failures, Duration timeout) {
        this.factory = factory;
        this.dialect = dialect;
        this.failures = failures;
        this.timeout = timeout;
        // Of each statement and not of the transaction: to prepare the first ones may take longer than to run them.
        this.properties = Map.of(
                "jakarta.persistence.query.timeout",
                (int) timeout.toMillis(),
                "jakarta.persistence.cache.retrieveMode",
                CacheRetrieveMode.BYPASS,
                "jakarta.persistence.cache.storeMode",
                CacheStoreMode.BYPASS);
        Object mode = factory.getProperties().get(HANDLING_MODE);
        this.keepsConnection = mode == null || mode.toString().endsWith("HOLD");
    }

    /** What is done in a transaction. Marks it for rollback if it has nothing to commit. */
    interface Work<T> {
        T in(EntityManager manager);
    }

    /** What a failure that came before the commit means; empty if it is no answer but a failure of the store. */
    interface Refusals<T> {
        Optional<T> answer(RuntimeException failure);
    }

    <T> T run(String what, Work<T> work) {
        return run(what, work, failure -> Optional.empty());
    }

    <T> T run(String what, Work<T> work, Refusals<T> refusals) {
        try (EntityManager manager = open(what)) {
            int before = keepsConnection ? limit(manager) : 0;
            T result = inTransaction(manager, work, refusals);
            if (keepsConnection) {
                // Not after a failure: then the pool looks after the connection, which may be no more.
                manager.<Connection>runWithConnection(connection -> setNetworkTimeout(connection, before));
            }
            return result;
        } catch (LockStoreException ours) {
            throw ours;
        } catch (RuntimeException failure) {
            throw storeFailure(what, failure);
        }
    }

    private <T> T inTransaction(EntityManager manager, Work<T> work, Refusals<T> refusals) {
        EntityTransaction transaction = manager.getTransaction();
        transaction.begin();
        T result;
        try {
            result = work.in(manager);
            manager.flush();
        } catch (RuntimeException failure) {
            rollBack(transaction, failure);
            return refusals.answer(failure).orElseThrow(() -> failure);
        }
        if (transaction.getRollbackOnly()) {
            transaction.rollback();
        } else {
            transaction.commit();
        }
        return result;
    }

    /** A connection that is lost cannot be rolled back; what lost it is the better reason. */
    private static void rollBack(EntityTransaction transaction, RuntimeException reason) {
        try {
            transaction.rollback();
        } catch (RuntimeException failure) {
            reason.addSuppressed(failure);
            throw reason;
        }
    }

    /**
     * Opens an entity manager with a connection. An interrupt ends only the wait for that, in which nothing was sent, so it
     * begins again.
     */
    private EntityManager open(String what) {
        if (closed) {
            throw new LockStoreException(
                    "JDBC at " + failures.place() + ": " + what + " failed: the provider is closed");
        }
        try {
            return Borrowing.uninterruptibly(this::connected);
        } catch (SQLException failure) {
            throw failures.of(what, failure);
        }
    }

    private EntityManager connected() throws SQLException {
        EntityManager manager = factory.createEntityManager(properties);
        boolean usable = false;
        try {
            manager.setFlushMode(FlushModeType.COMMIT);
            usable = manager.<Connection, Boolean>callWithConnection(this::isOurs);
        } catch (PersistenceException failure) {
            Optional<SQLException> reason = sqlException(failure);
            if (reason.isPresent()) {
                throw reason.get();
            }
            throw failure;
        } finally {
            if (!usable) {
                manager.close();
            }
        }
        if (!usable) {
            throw new LockStoreException(
                    "JDBC at " + failures.place() + ": the persistence unit gave a connection that is in a transaction"
                            + " of somebody else; allowed is a data source whose connections are"
                            + " not bound to a thread or a transaction");
        }
        return manager;
    }

    /**
     * Whether a connection is in no transaction of the application, as one that is bound to the thread would be: to commit
     * ours would commit that. With autocommit on, it is in none. Many pools have it off, so then the database is asked.
     */
    private boolean isOurs(Connection connection) throws SQLException {
        return connection.getAutoCommit() || dialect.isUntouched(connection);
    }

    /** Sets the time after which a database that is silent is given up: later than it was asked to give up itself. */
    private int limit(EntityManager manager) {
        return manager.<Connection, Integer>callWithConnection(connection -> {
            int before = connection.getNetworkTimeout();
            setNetworkTimeout(connection, (int) timeout.plus(GRACE).toMillis());
            return before;
        });
    }

    private static void setNetworkTimeout(Connection connection, int millis) throws SQLException {
        connection.setNetworkTimeout(Runnable::run, millis);
    }

    /** Ends the use of the factory, which is left as it is. */
    @Override
    public void close() {
        closed = true;
    }

    LockStoreException storeFailure(String what, RuntimeException failure) {
        return sqlException(failure)
                .map(reason -> failures.of(what, reason))
                .orElseGet(() -> failures.because(what, String.valueOf(failure.getMessage()), failure));
    }

    static Optional<SQLException> sqlException(Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof SQLException found) {
                return Optional.of(found);
            }
        }
        return Optional.empty();
    }
}
