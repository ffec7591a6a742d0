package io.holdfast.lock.jdbc.jpa;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.jdbc.jpa.OwnTransaction.Borrowed;
import io.holdfast.lock.jdbc.table.Borrowing;
import io.holdfast.lock.jdbc.table.DatabaseFailures;
import io.holdfast.lock.jdbc.table.Pooled;
import io.holdfast.lock.jdbc.table.Timeouts;
import jakarta.persistence.CacheRetrieveMode;
import jakarta.persistence.CacheStoreMode;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.FlushModeType;
import jakarta.persistence.PersistenceException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.hibernate.Session;
import org.hibernate.jdbc.ReturningWork;

/**
 * Runs transactions, each in an entity manager and on a connection of its own, past every cache, within a time limit for each
 * statement.
 *
 * <p>What fails before the commit was asked for has written nothing. What fails in the commit has an unknown outcome.
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
        // Of each statement and not of the transaction: to prepare the first ones may take longer than to run them.
        this.properties = Map.of(
                "jakarta.persistence.query.timeout",
                (int) timeout.toMillis(),
                "jakarta.persistence.cache.retrieveMode",
                CacheRetrieveMode.BYPASS,
                "jakarta.persistence.cache.storeMode",
                CacheStoreMode.BYPASS);
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
        try (OwnTransaction own = open(what)) {
            own.begin().ifPresent(reason -> {
                throw failures.because(what, reason);
            });
            T result;
            try {
                result = work.in(own.manager());
                own.manager().flush();
            } catch (RuntimeException failure) {
                return refusals.answer(failure).orElseThrow(() -> failure);
            }
            own.end();
            return result;
        } catch (LockStoreException ours) {
            throw ours;
        } catch (RuntimeException failure) {
            throw storeFailure(what, failure);
        }
    }

    /**
     * Opens an entity manager with a connection. An interrupt ends only the wait for that, in which nothing was sent, so it
     * begins again.
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
        Optional<Borrowed> borrowed = Optional.empty();
        try {
            manager.setFlushMode(FlushModeType.COMMIT);
            borrowed = withConnection(manager, this::taken);
        } catch (PersistenceException failure) {
            Optional<SQLException> reason = sqlException(failure);
            if (reason.isPresent()) {
                throw reason.get();
            }
            throw failure;
        } finally {
            if (borrowed.isEmpty()) {
                OwnTransaction.afterwards(manager::close);
            }
        }
        return new OwnTransaction(
                manager,
                borrowed.orElseThrow(() ->
                        new LockStoreException(failures.place() + ": the connection that it gave is in a transaction"
                                + " of somebody else; allowed is a data source whose connections are"
                                + " not bound to a thread or a transaction")));
    }

    /**
     * Takes a connection if it is in no transaction of the application, as one that is bound to the thread would be: to commit
     * ours would commit that. With autocommit on, it is in none. Many pools have it off, so then the database is asked.
     *
     * <p>Before that it gets the time after which a database that is silent is given up: later than it was asked to give up itself.
     *
     * @return the connection; empty if it is not ours
     */
    private Optional<Borrowed> taken(Connection connection) throws SQLException {
        try {
            Borrowed borrowed = new Borrowed(connection, connection.getNetworkTimeout(), pool);
            connection.setNetworkTimeout(
                    Runnable::run, (int) Timeouts.ofNetwork(timeout).toMillis());
            if (connection.getAutoCommit() || dialect.isUntouched(connection)) {
                return Optional.of(borrowed);
            }
            borrowed.giveBackItsTimeout();
            return Optional.empty();
        } catch (SQLException failure) {
            pool.ifPresent(whose -> whose.evictIfLost(connection));
            throw failure;
        }
    }

    /** Lends the connection of an entity manager. Not by the standard's own words for that, which Jakarta Persistence 3.1 lacks. */
    static <T> T withConnection(EntityManager manager, ReturningWork<T> work) {
        return manager.unwrap(Session.class).doReturningWork(work);
    }

    /** Ends the use of the factory, which is left as it is. */
    @Override
    public void close() {
        closed = true;
    }

    /** A failure that no driver has words for. */
    LockStoreException failure(String what, String reason) {
        return failures.because(what, reason);
    }

    private LockStoreException storeFailure(String what, RuntimeException failure) {
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
