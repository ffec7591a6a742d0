package io.holdfast.lock.jdbc.jpa;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.jdbc.table.DatabaseFailures;
import io.holdfast.lock.jdbc.table.LockKey;
import io.holdfast.lock.jdbc.table.LockTable;
import io.holdfast.lock.jdbc.table.Sql;
import io.holdfast.lock.jdbc.table.SqlDialect;
import jakarta.persistence.EntityManager;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The steps of an attempt that JPA cannot express: that of the JDBC provider for the same database, cut into steps.
 *
 * @param sql the dialect of the JDBC provider, whose other statements are used as they are
 * @param draw draws a token
 * @param bounds limits and secures the transaction; empty if the database cannot do that
 * @param clock reads the database's clock, not as of the beginning of the transaction
 * @param untouched asks whether the transaction has not written anything; empty if the JDBC provider's question does that
 */
record JpaDialect(SqlDialect sql, String draw, Optional<String> bounds, String clock, Optional<String> untouched) {

    /**
     * A grant keeps the token row locked until its transaction ends, so all grants of a table, also those by JDBC, are
     * serialized.
     */
    private static final String H2_DRAW = """
            SELECT token - :tokens + 1 FROM FINAL TABLE (
                UPDATE {tokens} SET token = GREATEST(
                    token + 1, CAST(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000000 AS BIGINT)) + :tokens - 1
                WHERE id = 1)
            """;

    /** {@code CURRENT_TIMESTAMP} is fixed for a transaction. The start of the current statement is not. */
    private static final String H2_CLOCK =
            "SELECT executing_statement_start FROM information_schema.sessions WHERE session_id = session_id()";

    /**
     * If a client stops inside the transaction, the server ends its connection after the time-out. The wait for a lock
     * is limited by it, too. A commit that the server may lose would let a token be granted twice, so the commit is
     * made durable.
     */
    private static final String POSTGRESQL_BOUNDS = """
                set_config('idle_in_transaction_session_timeout', :timeout, true),
                set_config('lock_timeout', :timeout, true),
                CASE WHEN current_setting('synchronous_commit') = 'off'
                    THEN set_config('synchronous_commit', 'on', true) END
            """;

    /** The advisory lock that serializes attempts by JDBC serializes those by JPA, too, until the end of the transaction. */
    private static final String POSTGRESQL_DRAW =
            "SELECT (nextval('{tokens}') - 1) * {stock} + 1 FROM (SELECT pg_advisory_xact_lock({advisory_class}, :advisory_id),"
                    + " pg_advisory_xact_lock_shared({raising_class}, 0), "
                    + POSTGRESQL_BOUNDS + " OFFSET 0) AS serialized";

    /** Finds the dialect by the name of the product. */
    static JpaDialect of(String product) {
        return switch (product.toLowerCase(Locale.ROOT)) {
            // It cannot limit how long a client stops inside a transaction.
            case "h2" -> new JpaDialect(SqlDialect.of("h2"), H2_DRAW, Optional.empty(), H2_CLOCK, Optional.empty());
            case "postgresql" ->
                new JpaDialect(
                        SqlDialect.of("postgresql"),
                        POSTGRESQL_DRAW,
                        Optional.of("SELECT " + POSTGRESQL_BOUNDS),
                        "SELECT clock_timestamp()",
                        Optional.of("SELECT txid_current_if_assigned() IS NULL"));
            default ->
                throw new LockConfigurationException("There is no JPA provider for the database '" + product
                        + "'; allowed are h2 and postgresql, and others by a jdbc: URI");
        };
    }

    Instant now(EntityManager manager) {
        return (Instant) manager.createNativeQuery(clock, Instant.class).getSingleResult();
    }

    /**
     * Draws the first of several tokens. Until the end of the transaction nobody else is granted the lock then. Includes
     * {@link #bound}. Waiting too long is a failure and not contention: the one before may be an attempt for another lock.
     */
    long draw(EntityManager manager, LockKey key, int tokens, LockTable table, Duration timeout) {
        Sql.Bound drawing = Sql.of(draw, table)
                .with(Map.of("advisory_id", key.advisoryId(), "tokens", tokens, "timeout", millis(timeout)));
        return OwnTransaction.withConnection(
                manager, connection -> drawing.on(connection, timeout, Sql.reading(JpaDialect::token)));
    }

    private static long token(ResultSet rows) throws SQLException {
        if (!rows.next()) {
            throw DatabaseFailures.tokensAreMissing();
        }
        return rows.getLong(1);
    }

    /** Limits how long this transaction can block others if its client stops, and makes its commit durable. */
    void bound(EntityManager manager, LockTable table, Duration timeout) {
        bounds.map(text -> Sql.of(text, table).with(Map.of("timeout", millis(timeout))))
                .ifPresent(bounding -> OwnTransaction.withConnection(
                        manager, connection -> bounding.on(connection, timeout, PreparedStatement::execute)));
    }

    private static String millis(Duration timeout) {
        return Long.toString(timeout.toMillis());
    }

    /** Whether a connection is in a transaction that has not written anything. */
    boolean isUntouched(Connection connection) throws SQLException {
        return untouched.isPresent() ? SqlDialect.isTrue(connection, untouched.get()) : sql.isUntouched(connection);
    }
}
