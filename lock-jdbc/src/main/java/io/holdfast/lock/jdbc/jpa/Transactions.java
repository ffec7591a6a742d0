package io.holdfast.lock.jdbc.jpa;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.jdbc.jpa.OwnTransaction.Borrowed;
import io.holdfast.lock.jdbc.table.Borrowing;
import io.holdfast.lock.jdbc.table.CallersInterrupt;
import io.holdfast.lock.jdbc.table.DatabaseFailures;
import io.holdfast.lock.jdbc.table.Pooled;
import io.holdfast.lock.jdbc.table.Timeouts;
import jakarta.persistence.CacheRetrieveMode;
import jakarta.persistence.CacheStoreMode;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.FlushModeType;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Runs transactions, each with its own entity manager and connection, past every cache, within a time limit for each
 * statement.
 *
 * <p>A failure before the commit means that nothing was written. A failure of the commit has an unknown outcome.
 */
final class Transactions implements AutoCloseable {

    private final EntityManagerFactory factory;
    private final Optional<Pooled> pool;
    private final JpaDialect dialect;
    private final DatabaseFailures failures;
    private final Duration timeout;
    private final Map<String, Object> properties;
    private volatile boolean closed;

    Transactions(PersistenceUnit unit, JpaDialect dialect, Duration timeout) {
        this.factory = unit.factory();
        this.pool = unit.pool();
        this.dialect = dialect;
        this.failures = unit.failures();
        this.timeout = timeout;
        // The limit is one of each statement and not of the transaction: preparing the first statements may take
        // longer than running them.
        this.properties = Map.of(
                "jakarta.persistence.query.timeout",
                (int) timeout.toMillis(),
                "jakarta.persistence.cache.retrieveMode",
                CacheRetrieveMode.BYPASS,
                "jakarta.persistence.cache.storeMode",
                CacheStoreMode.BYPASS);
    }

    /**
     * Runs a transaction.
     *
     * @param work marks the transaction for rollback if there is nothing to commit
     */
    <T> T run(String what, Function<EntityManager, T> work) {
        return run(what, work, failure -> Optional.empty());
    }

    /**
     * Runs a transaction.
     *
     * @param work marks the transaction for rollback if there is nothing to commit
     * @param refusals turns a failure before the commit into an answer; empty if it is a failure of the store
     */
    <T> T run(String what, Function<EntityManager, T> work, Function<RuntimeException, Optional<T>> refusals) {
        CallersInterrupt interrupt = new CallersInterrupt();
        try (OwnTransaction own = open(what)) {
            own.begin().ifPresent(reason -> {
                throw failures.because(what, reason);
            });
            T result;
            try {
                result = work.apply(own.manager());
                own.manager().flush();
            } catch (RuntimeException failure) {
                return refusals.apply(failure).orElseThrow(() -> failure);
            }
            own.end();
            return result;
        } catch (LockStoreException ours) {
            throw ours;
        } catch (RuntimeException failure) {
            throw failures.of(what, failure);
        } finally {
            interrupt.restore();
        }
    }

    /**
     * Opens an entity manager with a connection. An interrupt ends only the wait for that, in which nothing was sent,
     * so the wait starts again.
     */
    private OwnTransaction open(String what) {
        if (closed) {
            throw failures.because(what, "the provider is closed");
        }
        try {
            return Borrowing.uninterruptibly(this::connected);
        } catch (SQLException failure) {
            throw failures.of(what, failure);
        }
    }

    private OwnTransaction connected() throws SQLException {
        EntityManager manager = factory.createEntityManager(properties);
        try {
            manager.setFlushMode(FlushModeType.COMMIT);
            return new OwnTransaction(manager, OwnTransaction.withConnection(manager, this::taken));
        } catch (RuntimeException | Error failure) {
            OwnTransaction.ignoringFailure(manager::close);
            Optional<SQLException> reason = DatabaseFailures.sqlException(failure);
            if (reason.isPresent()) {
                throw reason.get();
            }
            throw failure;
        }
    }

    /**
     * Takes a connection unless it is in a transaction of the application, as one that is bound to the thread would be:
     * our commit would commit that, too. With autocommit on it is in none. Many pools switch it off, so the database is
     * asked then.
     *
     * <p>Before that the connection gets the time-out after which a silent database is given up, later than the
     * database is asked to cancel.
     *
     * @throws SQLException also if it is in a transaction
     */
    private Borrowed taken(Connection connection) throws SQLException {
        Borrowed borrowed = new Borrowed(connection, connection.getNetworkTimeout(), pool);
        boolean free;
        try {
            connection.setNetworkTimeout(
                    Runnable::run, (int) Timeouts.ofNetwork(timeout).toMillis());
            free = isFree(connection);
        } catch (SQLException failure) {
            try {
                borrowed.close();
            } catch (SQLException lost) {
                failure.addSuppressed(lost);
            }
            borrowed.evictIfLost();
            throw failure;
        }
        if (!free) {
            borrowed.close();
            throw DatabaseFailures.ownFailure(
                    "the connection of its data source is in a transaction of the application;"
                            + " allowed is a data source whose connections are not bound to a thread or a transaction");
        }
        return borrowed;
    }

    private boolean isFree(Connection connection) throws SQLException {
        if (connection.getAutoCommit()) {
            return true;
        }
        boolean untouched = dialect.isUntouched(connection);
        if (untouched) {
            // A pool may not have ended what the application only read with: H2's clock would stand still since then.
            connection.rollback();
        }
        return untouched;
    }

    /** Refuses further transactions; the factory is left as it is. */
    @Override
    public void close() {
        closed = true;
    }

    DatabaseFailures failures() {
        return failures;
    }
}
