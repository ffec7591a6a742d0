package io.holdfast.lock.jdbc;

import io.holdfast.lock.jdbc.table.Borrowing;
import io.holdfast.lock.jdbc.table.DatabaseFailures;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Opens the first connection to a database beside the pool, before the pool is asked. A pool retries until its time is
 * over, even after a refused log-in; this reports such a failure at once. After the first success only the pool is
 * asked: a server that restarts may be back in time. Thread-safe.
 */
final class FirstConnection {

    private final Borrowing.Source<Connection> source;
    private final Duration maxWait;
    private final Executor threads;

    private final SharedRun<Optional<SQLException>> opening = new SharedRun<>();
    private volatile boolean made;

    /**
     * Creates it; nothing is opened yet.
     *
     * @param maxWait how long a call waits for it; after that the pool is asked, which has the limit for a slow or
     *     silent database
     * @param threads on which it is opened
     */
    FirstConnection(Borrowing.Source<Connection> source, Duration maxWait, Executor threads) {
        this.source = source;
        this.maxWait = maxWait;
        this.threads = threads;
    }

    /** Throws if the database cannot be connected to, for a reason that lasts. */
    void require() throws SQLException {
        if (made) {
            return;
        }
        Optional<SQLException> refusal = await(opening.on(threads, this::refusal));
        if (refusal.isPresent()) {
            throw refusal.get();
        }
    }

    /** A silent database, or an interrupt of the caller, is left to the pool. */
    private Optional<SQLException> await(CompletableFuture<Optional<SQLException>> answer) {
        try {
            return answer.get(maxWait.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException silent) {
            return Optional.empty();
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } catch (ExecutionException broken) {
            if (broken.getCause() instanceof RejectedExecutionException) {
                // The pool is closed as well and reports it.
                return Optional.empty();
            }
            throw SharedRun.thrown(broken);
        }
    }

    private Optional<SQLException> refusal() {
        try {
            source.get().close();
            made = true;
            return Optional.empty();
        } catch (SQLException failure) {
            return Optional.of(failure).filter(DatabaseFailures::isDefinite);
        } catch (RuntimeException broken) {
            // The pool meets the same failure and throws it to its caller.
            return Optional.empty();
        }
    }
}
