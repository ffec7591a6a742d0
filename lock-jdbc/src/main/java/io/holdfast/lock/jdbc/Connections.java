package io.holdfast.lock.jdbc;

import io.holdfast.lock.jdbc.table.Borrowing;
import io.holdfast.lock.jdbc.table.DatabaseFailures;
import io.holdfast.lock.jdbc.table.Pooled;
import io.holdfast.lock.jdbc.table.Sql;
import io.holdfast.lock.jdbc.table.SqlDialect;
import io.holdfast.lock.jdbc.table.StatementLimits;
import io.holdfast.lock.jdbc.table.Stopwatch;
import io.holdfast.lock.jdbc.table.Timeouts;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Runs single statements in autocommit, each within a {@linkplain Timeouts time limit}: on a connection of the pool, or
 * on the {@linkplain KeptConnection one that is kept} for renewals and releases.
 */
final class Connections implements AutoCloseable {

    private final Lender lender;
    private final KeptConnection kept;
    private final SqlDialect dialect;
    private final StatementLimits limits;
    private final DatabaseFailures failures;
    private final Duration timeout;
    private final AtomicInteger inUse = new AtomicInteger();
    private volatile boolean closed;

    /**
     * Creates it over a source of connections.
     *
     * @param lender closed with this
     * @param kept closed with this
     * @param dialect of the database
     * @param timeout for each statement
     */
    Connections(Lender lender, KeptConnection kept, SqlDialect dialect, DatabaseFailures failures, Duration timeout) {
        this.lender = lender;
        this.kept = kept;
        this.dialect = dialect;
        this.limits = dialect.limits();
        this.failures = failures;
        this.timeout = timeout;
    }

    /** Runs a statement on a connection of the pool. */
    <T extends @Nullable Object> T run(Sql.Bound statement, Sql.Execution<T> execution) throws SQLException {
        BorrowedConnection borrowed = lender.borrow();
        inUse.incrementAndGet();
        return on(borrowed, timeout, statement, execution);
    }

    /** Runs a renewal or a release, which need not wait for the pool. */
    <T extends @Nullable Object> T runOnKept(Sql.Bound statement, Sql.Execution<T> execution) throws SQLException {
        return runOnKeptWithin(timeout, statement, execution);
    }

    /** As {@link #runOnKept}, with another limit than usual. */
    <T extends @Nullable Object> T runOnKeptWithin(Duration limit, Sql.Bound statement, Sql.Execution<T> execution)
            throws SQLException {
        return on(usableConnection(), limit, statement, execution);
    }

    /** Runs a statement on a connection that is counted as in use, and ends its use. */
    private <T extends @Nullable Object> T on(
            BorrowedConnection borrowed, Duration limit, Sql.Bound statement, Sql.Execution<T> execution)
            throws SQLException {
        try {
            return statement.on(prepared(borrowed, limit), limits, limit, execution);
        } catch (SQLException | RuntimeException failure) {
            borrowed.markDoubtful();
            throw failure;
        } finally {
            boolean taken = borrowed.isFit() && kept.take(borrowed);
            inUse.decrementAndGet();
            if (!taken) {
                borrowed.giveBack();
            }
        }
    }

    private Connection prepared(BorrowedConnection borrowed, Duration limit) throws SQLException {
        return borrowed.prepared(Timeouts.ofNetwork(limit), dialect::isUntouched);
    }

    /** The kept connection, counted as in use. If it is in use or lost, whichever comes first: that one or one of the pool. */
    private BorrowedConnection usableConnection() throws SQLException {
        Stopwatch tried = new Stopwatch();
        boolean cut = false;
        for (int used = 0; used < Pooled.MOST_TRIED && !tried.hasRunFor(timeout); used++) {
            BorrowedConnection borrowed = keptOrBorrowed();
            // Its test may last, and others may wait for it meanwhile.
            inUse.incrementAndGet();
            if (cut) {
                // A pool lends connections untested that it used or opened a moment ago. They may be cut as well.
                borrowed.markDoubtful();
            }
            if (borrowed.isUsable()) {
                return borrowed;
            }
            cut = true;
            inUse.decrementAndGet();
            borrowed.giveBack();
        }
        throw DatabaseFailures.ownFailure(
                "the connections of the pool are lost, or the database did not answer in time");
    }

    private BorrowedConnection keptOrBorrowed() throws SQLException {
        CompletableFuture<BorrowedConnection> wanted = new CompletableFuture<>();
        AtomicReference<@Nullable Throwable> refusal = new AtomicReference<>();
        if (!kept.lend(wanted)) {
            lender.ask(wanted, failure -> {
                refusal.set(failure);
                // A connection that is in use now may still come back in time.
                if (inUse.get() == 0) {
                    wanted.completeExceptionally(failure);
                }
            });
        }
        return lender.await(wanted, () -> {
            Throwable refused = refusal.get();
            return refused == null ? lender.exhausted() : refused;
        });
    }

    /**
     * Opens a connection for messages, which its user keeps for long. A failure, which the caller logs, contains no
     * password.
     */
    BorrowedConnection openForMessages(Borrowing.Source<Connection> messages) {
        try {
            BorrowedConnection borrowed = lender.wrap(messages.get());
            try {
                Connection unused = prepared(borrowed, timeout);
                return borrowed;
            } catch (SQLException | RuntimeException failure) {
                borrowed.giveBack();
                throw failure;
            }
        } catch (SQLException failure) {
            throw failures.of("subscription", failure);
        }
    }

    KeptConnection kept() {
        return kept;
    }

    DatabaseFailures failures() {
        return failures;
    }

    /** Refuses an operation after {@link #close}, even if the source of the connections is still open. */
    void requireOpen(String what) {
        if (closed) {
            throw failures.because(what, "the provider is closed");
        }
    }

    @Override
    public void close() {
        closed = true;
        kept.close();
        limits.close();
        try {
            lender.close();
        } catch (RuntimeException failure) {
            throw failures.because("close", String.valueOf(failure.getMessage()), failure);
        }
    }
}
