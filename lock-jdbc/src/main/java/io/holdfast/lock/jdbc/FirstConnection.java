package io.holdfast.lock.jdbc;

import io.holdfast.lock.jdbc.table.Borrowing;
import io.holdfast.lock.jdbc.table.StoreFailures;
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
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The first connection to a database, opened beside the pool before that is asked for one. A pool tries until its time is over,
 * also after a refused log-in; this tells of it at once. Once a connection was made the pool is asked alone: a server that
 * restarts may be back in time. Thread-safe.
 */
final class FirstConnection {

    /** How long a call waits for it. After that the pool is asked: it has the limit for a database that is slow or silent. */
    private static final Duration LONGEST = Duration.ofSeconds(2);

    private final Borrowing.Source<Connection> source;
    private final Executor threads;

    /** One for all calls at a time, so that they do not wait for each other. */
    private final AtomicReference<@Nullable CompletableFuture<Optional<SQLException>>> running =
            new AtomicReference<>();

    private volatile boolean made;

    /**
     * A connection that is to be made.
     *
     * @param threads on which it is opened
     */
    FirstConnection(Borrowing.Source<Connection> source, Executor threads) {
        this.source = source;
        this.threads = threads;
    }

    /** Throws if the database cannot be connected to, for a reason that lasts. */
    void require() throws SQLException {
        if (made) {
            return;
        }
        CompletableFuture<Optional<SQLException>> own = new CompletableFuture<>();
        CompletableFuture<Optional<SQLException>> others = running.compareAndExchange(null, own);
        if (others == null) {
            begin(own);
        }
        Optional<SQLException> refusal = await(others == null ? own : others);
        if (refusal.isPresent()) {
            throw refusal.get();
        }
    }

    /** A database that does not answer in time is left to the pool, as is the end of a caller that is interrupted. */
    private static Optional<SQLException> await(CompletableFuture<Optional<SQLException>> answer) {
        try {
            return answer.get(LONGEST.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException silent) {
            return Optional.empty();
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } catch (ExecutionException broken) {
            throw new IllegalStateException(broken);
        }
    }

    private void begin(CompletableFuture<Optional<SQLException>> answer) {
        try {
            threads.execute(() -> answer.complete(refusal()));
        } catch (RejectedExecutionException closed) {
            // The pool is closed as well, and says so.
            answer.complete(Optional.empty());
        }
    }

    private Optional<SQLException> refusal() {
        try {
            source.get().close();
            made = true;
            return Optional.empty();
        } catch (SQLException failure) {
            return Optional.of(failure).filter(StoreFailures::isDefinite);
        } catch (RuntimeException broken) {
            // The pool meets it as well, and passes it to its caller.
            return Optional.empty();
        } finally {
            running.set(null);
        }
    }
}
