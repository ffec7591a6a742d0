package io.holdfast.lock.jdbc;

import io.holdfast.lock.jdbc.table.Borrowing;
import io.holdfast.lock.jdbc.table.DatabaseFailures;
import io.holdfast.lock.jdbc.table.Stopwatch;
import io.holdfast.lock.jdbc.table.Timeouts;
import io.holdfast.lock.jdbc.table.WaitersAttempt;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Runs single statements, each in autocommit and within a {@linkplain Timeouts time limit}: on a connection of the pool, or on the
 * one that is kept for renewals and releases.
 */
final class Connections implements AutoCloseable {

    private final Lender lender;
    private final Reserve reserve;
    private final Lent.Untouched untouched;
    private final DatabaseFailures failures;
    private final Duration timeout;
    private final AtomicInteger inUse = new AtomicInteger();
    private volatile boolean closed;

    /**
     * Over a source of connections.
     *
     * @param lender closed with this
     * @param reserve closed with this
     * @param untouched asked of connections with autocommit off
     * @param timeout for each statement
     */
    Connections(Lender lender, Reserve reserve, Lent.Untouched untouched, DatabaseFailures failures, Duration timeout) {
        this.lender = lender;
        this.reserve = reserve;
        this.untouched = untouched;
        this.failures = failures;
        this.timeout = timeout;
    }

    /** Reads what a statement returned. */
    interface Rows<T extends @Nullable Object> {
        T read(ResultSet rows) throws SQLException;
    }

    /** Prepares a statement. */
    interface Preparation {
        PreparedStatement of(Connection connection, String text) throws SQLException;
    }

    /** Executes a statement and reads what has become of it. */
    interface Execution<T extends @Nullable Object> {
        T of(PreparedStatement statement) throws SQLException;
    }

    /** Does something with a connection, within a limit for each statement. */
    private interface Use<T extends @Nullable Object> {
        T with(Connection connection, Duration limit) throws SQLException;
    }

    <T extends @Nullable Object> T query(Sql sql, Map<String, Object> values, Rows<T> rows) throws SQLException {
        return queryWithin(timeout, sql, values, rows);
    }

    /** Runs a query with another limit than usual. */
    <T extends @Nullable Object> T queryWithin(Duration limit, Sql sql, Map<String, Object> values, Rows<T> rows)
            throws SQLException {
        return on(lender.borrow(), limit, using(sql, values, Connection::prepareStatement, statement -> {
            try (ResultSet found = statement.executeQuery()) {
                return rows.read(found);
            }
        }));
    }

    /** Runs an update with another limit than usual; returns how many rows it changed. */
    int updateWithin(Duration limit, Sql sql, Map<String, Object> values) throws SQLException {
        return on(
                lender.borrow(),
                limit,
                using(sql, values, Connection::prepareStatement, PreparedStatement::executeUpdate));
    }

    <T extends @Nullable Object> T run(
            Sql sql, Map<String, Object> values, Preparation preparation, Execution<T> execution) throws SQLException {
        return on(lender.borrow(), timeout, using(sql, values, preparation, execution));
    }

    /** The same for renewals and releases, which need not wait for the pool. */
    <T extends @Nullable Object> T runReserved(
            Sql sql, Map<String, Object> values, Preparation preparation, Execution<T> execution) throws SQLException {
        return on(reserved(), timeout, using(sql, values, preparation, execution));
    }

    private static <T extends @Nullable Object> Use<T> using(
            Sql sql, Map<String, Object> values, Preparation preparation, Execution<T> execution) {
        return (connection, limit) -> {
            try (PreparedStatement statement = preparation.of(connection, sql.text(values))) {
                limit(statement, limit);
                sql.bind(statement, values);
                return execution.of(statement);
            }
        };
    }

    void execute(String statementText) throws SQLException {
        on(lender.borrow(), timeout, (connection, limit) -> {
            try (Statement statement = connection.createStatement()) {
                limit(statement, limit);
                return statement.execute(statementText);
            }
        });
    }

    private static void limit(Statement statement, Duration limit) throws SQLException {
        int seconds = Timeouts.seconds(limit);
        if (statement.getQueryTimeout() != seconds) {
            // To set it is a round trip in H2, which keeps it for the connection.
            statement.setQueryTimeout(seconds);
        }
    }

    private <T extends @Nullable Object> T on(Lent lent, Duration limit, Use<T> use) throws SQLException {
        inUse.incrementAndGet();
        try {
            return use.with(lent.prepared(Timeouts.ofNetwork(limit), untouched), limit);
        } catch (SQLException | RuntimeException failure) {
            lent.doubt();
            throw failure;
        } finally {
            boolean taken = lent.isFit() && reserve.take(lent);
            inUse.decrementAndGet();
            if (!taken) {
                lent.giveBack();
            }
        }
    }

    /** The connection that is kept, or, if others use it now or it is lost, whichever comes first: that one or one of the pool. */
    private Lent reserved() throws SQLException {
        Stopwatch tried = new Stopwatch();
        boolean cut = false;
        for (int trial = 0; trial < WaitersAttempt.MOST_TRIALS && !tried.hasRunFor(timeout); trial++) {
            Lent lent = keptOrBorrowed();
            if (cut) {
                // A pool lends those that it has used or opened a moment ago without a trial, and they are cut, too.
                lent.doubt();
            }
            if (lent.isUsable()) {
                return lent;
            }
            cut = true;
            lent.giveBack();
        }
        throw DatabaseFailures.inOurWords(
                "the connections of the pool are lost, or the database did not answer in time");
    }

    private Lent keptOrBorrowed() throws SQLException {
        CompletableFuture<Lent> wanted = new CompletableFuture<>();
        AtomicReference<@Nullable Throwable> refusal = new AtomicReference<>();
        if (!reserve.lend(wanted)) {
            lender.ask(wanted, failure -> {
                refusal.set(failure);
                // A connection that is in use now may come back in time, whatever the pool says.
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

    /** Opens a connection for messages, which its user keeps for long. A failure, which is logged, has no password in it. */
    Lent toListen(Borrowing.Source<Connection> messages) {
        try {
            Lent lent = lender.lent(messages.get());
            try {
                lent.prepared(Timeouts.ofNetwork(timeout), untouched);
                return lent;
            } catch (SQLException | RuntimeException failure) {
                lent.giveBack();
                throw failure;
            }
        } catch (SQLException failure) {
            throw failures.of("subscription", failure);
        }
    }

    Reserve reserve() {
        return reserve;
    }

    DatabaseFailures failures() {
        return failures;
    }

    /** Refuses an operation after the end, also where the source of the connections goes on. */
    void requireOpen(String what) {
        if (closed) {
            throw failures.because(what, "the provider is closed");
        }
    }

    @Override
    public void close() {
        closed = true;
        reserve.close();
        try {
            lender.close();
        } catch (RuntimeException failure) {
            throw failures.because("close", String.valueOf(failure.getMessage()), failure);
        }
    }
}
