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
 * The first connection to a database, opened beside the pool before that is asked for one. A pool tries until its time is over,
 * also after a refused log-in; this tells of it at once. Once a connection was made the pool is asked alone: a server that
 * restarts may be back in time. Thread-safe.
 */
final class FirstConnection {

    /** How long a call waits for it. After that the pool is asked: it has the limit for a database that is slow or silent. */
    private static final Duration WAIT_AT_MOST = Duration.ofSeconds(2);

    private final Borrowing.Source<Connection> source;
    private final Executor threads;

    private final SharedRun<Optional<SQLException>> opening = new SharedRun<>();
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
        Optional<SQLException> refusal = await(opening.on(threads, this::refusal));
        if (refusal.isPresent()) {
            throw refusal.get();
        }
    }

    /** A database that does not answer in time is left to the pool, as is the end of a caller that is interrupted. */
    private static Optional<SQLException> await(CompletableFuture<Optional<SQLException>> answer) {
        try {
            return answer.get(WAIT_AT_MOST.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException silent) {
            return Optional.empty();
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } catch (ExecutionException broken) {
            if (broken.getCause() instanceof RejectedExecutionException) {
                // The pool is closed as well, and says so.
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
            // The pool meets it as well, and passes it to its caller.
            return Optional.empty();
        }
    }
}
