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
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.sql.DataSource;

/**
 * Borrows connections. Thread-safe.
 *
 * <p>A data source of the application is asked on threads of ours. So the caller never gets the connection that a framework has
 * bound to its thread's transaction, and waits no longer than it should, whatever limit the pool has.
 */
final class Lender implements AutoCloseable {

    private final Borrowing.Source<Connection> source;

    /** A pool of ours limits the wait itself, so the calling thread may ask it. */
    private final Optional<HikariDataSource> own;

    private final Optional<FirstConnection> first;
    private final Duration patience;
    private final Pooled pool;
    private final ExecutorService threads;

    private Lender(
            Borrowing.Source<Connection> source,
            Optional<HikariDataSource> own,
            Duration patience,
            Pooled pool,
            ExecutorService threads) {
        this.source = source;
        this.own = own;
        this.first = own.map(pooled -> new FirstConnection(
                () -> DriverManager.getConnection(pooled.getJdbcUrl(), pooled.getDataSourceProperties()), threads));
        this.patience = patience;
        this.pool = pool;
        this.threads = threads;
    }

    /** From a pool of our own, which is closed with this. */
    static Lender ofOwn(HikariDataSource pool) {
        return new Lender(
                () -> Borrowing.uninterruptibly(pool::getConnection),
                Optional.of(pool),
                Duration.ofMillis(pool.getConnectionTimeout()),
                new Pooled(pool),
                BorrowingThreads.start());
    }

    /**
     * From a data source of the application, which is left open.
     *
     * @param patience how long a call waits for a connection
     */
    static Lender ofGiven(DataSource source, Duration patience) {
        return ofGiven(source, patience, BorrowingThreads.start());
    }

    /**
     * The same.
     *
     * @param threads ask the data source; ended with this
     */
    static Lender ofGiven(DataSource source, Duration patience, ExecutorService threads) {
        return new Lender(source::getConnection, Optional.empty(), patience, new Pooled(source), threads);
    }

    /** Borrows a connection. */
    Lent borrow() throws SQLException {
        if (first.isPresent()) {
            first.get().require();
            return lent(source.get());
        }
        CompletableFuture<Lent> wanted = new CompletableFuture<>();
        ask(wanted, wanted::completeExceptionally);
        return await(wanted, this::exhausted);
    }

    /**
     * Asks for a connection in the background. One that comes when it is not wanted any more goes back.
     *
     * @param refused gets the failure if there is none
     */
    void ask(CompletableFuture<Lent> wanted, Consumer<Throwable> refused) {
        try {
            threads.execute(() -> borrowFor(wanted, refused));
        } catch (RejectedExecutionException closed) {
            wanted.completeExceptionally(DatabaseFailures.inOurWords("the provider is closed"));
        } catch (Error noThread) {
            wanted.completeExceptionally(noThread);
        }
    }

    private void borrowFor(CompletableFuture<Lent> wanted, Consumer<Throwable> refused) {
        if (wanted.isDone()) {
            return;
        }
        try {
            Lent lent = lent(source.get());
            if (!wanted.complete(lent)) {
                lent.giveBack();
            }
        } catch (SQLException | RuntimeException | Error failure) {
            refused.accept(failure);
        }
    }

    /**
     * Waits for a connection that was asked for, through interrupts: nothing has been sent yet.
     *
     * @param tooLate what to throw when the wait has been too long
     */
    Lent await(CompletableFuture<Lent> wanted, Supplier<? extends Throwable> tooLate) throws SQLException {
        Stopwatch waited = new Stopwatch();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return wanted.get(waited.leftOf(patience).toNanos(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException later) {
                    interrupted = true;
                } catch (TimeoutException none) {
                    // Does nothing if a connection came in this very moment.
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
        return reason instanceof SQLException told ? told : new SQLException(reason);
    }

    /** A connection that was borrowed past this, and is given back as others are. */
    Lent lent(Connection borrowed) {
        return new Lent(borrowed, pool::evict);
    }

    /** That no connection came free in time, and what to do. */
    SQLException exhausted() {
        return DatabaseFailures.inOurWords("the pool is exhausted: no connection came free within "
                + patience.toMillis() + " ms" + pool.inUse()
                + ". Threads that hold a connection while they acquire a lock can block each other: acquire before the"
                + " transaction begins, enlarge the pool, or give the locks a data source of their own");
    }

    @Override
    public void close() {
        // The interrupts end waits for a connection, which nobody needs any more.
        threads.shutdownNow();
        own.ifPresent(HikariDataSource::close);
    }
}
