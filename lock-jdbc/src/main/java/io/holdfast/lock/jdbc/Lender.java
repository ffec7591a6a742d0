package io.holdfast.lock.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.lock.jdbc.table.Borrowing;
import io.holdfast.lock.jdbc.table.DatabaseFailures;
import io.holdfast.lock.jdbc.table.Pooled;
import io.holdfast.lock.jdbc.table.Stopwatch;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.sql.DataSource;

/**
 * Borrows connections from a pool. Thread-safe.
 *
 * <p>A data source of the application is called on threads of this class. So the caller never gets the connection that
 * a framework has bound to its thread's transaction, and the wait is limited whatever limit the pool has.
 */
final class Lender implements AutoCloseable {

    private final Borrowing.Source<Connection> source;

    /**
     * The provider's own pool, which the calling thread may ask: it limits the wait itself. Empty for a data source of
     * the application.
     */
    private final Optional<HikariDataSource> own;

    private final Optional<FirstConnection> first;
    private final Duration maxWait;
    private final Pooled pool;
    private final ThreadPoolExecutor threads;

    private Lender(
            Borrowing.Source<Connection> source,
            Optional<HikariDataSource> own,
            Duration maxWait,
            Pooled pool,
            ThreadPoolExecutor threads) {
        this.source = source;
        this.own = own;
        this.first = own.map(pooled -> new FirstConnection(
                () -> DriverManager.getConnection(pooled.getJdbcUrl(), pooled.getDataSourceProperties()),
                maxWait.dividedBy(2),
                threads));
        this.maxWait = maxWait;
        this.pool = pool;
        this.threads = threads;
    }

    /** Borrows from the provider's own pool, which is closed with this. */
    static Lender ofOwn(HikariDataSource pool) {
        return new Lender(
                () -> Borrowing.uninterruptibly(pool::getConnection),
                Optional.of(pool),
                Duration.ofMillis(pool.getConnectionTimeout()),
                new Pooled(pool),
                BorrowingThreads.start());
    }

    /**
     * Borrows from a data source of the application, which is left open.
     *
     * @param maxWait how long a call waits for a connection
     */
    static Lender ofGiven(DataSource source, Duration maxWait) {
        return ofGiven(source, maxWait, BorrowingThreads.start());
    }

    /**
     * Borrows from a data source of the application by the given threads.
     *
     * @param threads call the data source; shut down with this
     */
    static Lender ofGiven(DataSource source, Duration maxWait, ThreadPoolExecutor threads) {
        return new Lender(source::getConnection, Optional.empty(), maxWait, new Pooled(source), threads);
    }

    /** Borrows a connection. */
    BorrowedConnection borrow() throws SQLException {
        if (first.isPresent()) {
            first.get().require();
            return wrap(source.get());
        }
        CompletableFuture<BorrowedConnection> wanted = new CompletableFuture<>();
        ask(wanted, wanted::completeExceptionally);
        return await(wanted, this::exhausted);
    }

    /**
     * Asks for a connection in the background. One that comes too late goes back to the pool.
     *
     * @param refused gets the failure if there is none
     */
    void ask(CompletableFuture<BorrowedConnection> wanted, Consumer<Throwable> refused) {
        try {
            Runnable task = () -> borrowFor(wanted, refused);
            threads.execute(task);
            // A pool that gives no connection would let those who gave up pile up.
            CompletableFuture<?> unused = wanted.whenComplete((borrowed, failure) -> threads.remove(task));
        } catch (RejectedExecutionException closed) {
            wanted.completeExceptionally(DatabaseFailures.ownFailure("the provider is closed"));
        } catch (Error noThread) {
            wanted.completeExceptionally(noThread);
        }
    }

    private void borrowFor(CompletableFuture<BorrowedConnection> wanted, Consumer<Throwable> refused) {
        if (wanted.isDone()) {
            return;
        }
        try {
            BorrowedConnection borrowed = wrap(source.get());
            if (!wanted.complete(borrowed)) {
                borrowed.giveBack();
            }
        } catch (SQLException | RuntimeException | Error failure) {
            refused.accept(failure);
        }
    }

    /**
     * Waits for a connection that was asked for. Interrupts do not end the wait, as nothing has been sent yet.
     *
     * @param tooLate what to throw when the wait has been too long
     */
    BorrowedConnection await(CompletableFuture<BorrowedConnection> wanted, Supplier<? extends Throwable> tooLate)
            throws SQLException {
        Stopwatch waited = new Stopwatch();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return wanted.get(waited.leftOf(maxWait).toNanos(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException later) {
                    interrupted = true;
                } catch (TimeoutException none) {
                    // No effect if a connection came at this very moment.
                    wanted.completeExceptionally(tooLate.get());
                } catch (ExecutionException failure) {
                    throw reason(failure);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static SQLException reason(ExecutionException failure) {
        Throwable reason = failure.getCause();
        if (reason instanceof RuntimeException broken) {
            throw broken;
        }
        if (reason instanceof Error broken) {
            throw broken;
        }
        return reason instanceof SQLException known ? known : new SQLException(reason);
    }

    /** Wraps a connection that was opened elsewhere, so that it is given back as all others. */
    BorrowedConnection wrap(Connection connection) {
        return new BorrowedConnection(connection, pool::evict);
    }

    /** The failure when no connection came free in time, with advice. */
    SQLException exhausted() {
        return DatabaseFailures.ownFailure("the pool is exhausted: no connection came free within "
                + maxWait.toMillis() + " ms" + pool.inUse()
                + ". Threads that hold a connection while they acquire a lock can block each other: acquire before the"
                + " transaction begins, enlarge the pool, or give the locks a data source of their own");
    }

    @Override
    public void close() {
        // The interrupts end waits for a connection that nobody needs any more.
        threads.shutdownNow();
        own.ifPresent(HikariDataSource::close);
    }
}
