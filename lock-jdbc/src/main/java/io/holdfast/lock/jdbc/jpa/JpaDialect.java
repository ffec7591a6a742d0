package io.holdfast.lock.jdbc.jpa;

import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockCapabilities.Fencing;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.jdbc.JdbcLockProvider.Database;
import io.holdfast.lock.jdbc.table.LockKey;
import io.holdfast.lock.jdbc.table.LockTable;
import jakarta.persistence.EntityManager;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/** The few statements that JPA has no words for. They are the JDBC provider's in the same database, cut into steps. */
enum JpaDialect {

    /**
     * The row of the token stays locked until the end of the transaction, so all grants of a table take turns, those by JDBC
     * as well.
     *
     * <p>{@code CURRENT_TIMESTAMP} is the same in all of a transaction. The start of the present statement is not.
     */
    H2(
            Fencing.CLOCKED,
            "SELECT executing_statement_start FROM information_schema.sessions WHERE session_id = session_id()",
            "SELECT NOT contains_uncommitted FROM information_schema.sessions WHERE session_id = session_id()",
            """
            SELECT token FROM FINAL TABLE (
                UPDATE {tokens} SET token = GREATEST(
                    token + 1, CAST(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000000 AS BIGINT))
                WHERE id = 1)
            """,
            Optional.empty(),
            Optional.empty()),

    /**
     * The grants of a name take turns by the advisory lock that JDBC bids take, too, here until the end of the transaction.
     *
     * <p>A client that is paused inside the transaction must not keep the turn for ever, so the server ends its connection. Nor
     * does it wait for ever for a row.
     */
    POSTGRESQL(
            Fencing.STRICT,
            "SELECT clock_timestamp()",
            "SELECT txid_current_if_assigned() IS NULL",
            """
            SELECT nextval('{tokens}') FROM (
                SELECT pg_advisory_xact_lock({turns}, :turn),
                    set_config('idle_in_transaction_session_timeout', :patience, true),
                    set_config('lock_timeout', :patience, true),
                    CASE WHEN current_setting('synchronous_commit') = 'off'
                        THEN set_config('synchronous_commit', 'on', true) END
                OFFSET 0) AS turn
            """,
            Optional.of("""
                    SELECT CAST(count(*) AS text) FROM (
                        SELECT set_config('idle_in_transaction_session_timeout', :patience, true),
                            set_config('lock_timeout', :patience, true),
                            CASE WHEN current_setting('synchronous_commit') = 'off'
                                THEN set_config('synchronous_commit', 'on', true) END
                        OFFSET 0) AS bounds
                    """),
            Optional.of("SELECT CAST(pg_notify('{channel}', :hash) AS text)"));

    private static final int RENEWAL_BATCH = 500;

    private final Fencing fencing;
    private final String clock;
    private final String untouched;
    private final String draw;
    private final Optional<String> bounds;
    private final Optional<String> announce;

    JpaDialect(
            Fencing fencing,
            String clock,
            String untouched,
            String draw,
            Optional<String> bounds,
            Optional<String> announce) {
        this.fencing = fencing;
        this.clock = clock;
        this.untouched = untouched;
        this.draw = draw;
        this.bounds = bounds;
        this.announce = announce;
    }

    static JpaDialect of(Database database) {
        return of(database.name());
    }

    /** By the product's name. */
    static JpaDialect of(String product) {
        return switch (product.toLowerCase(Locale.ROOT)) {
            case "h2" -> H2;
            case "postgresql" -> POSTGRESQL;
            default ->
                throw new LockConfigurationException(
                        "There is no JPA provider for the database '" + product + "'; allowed are h2 and postgresql");
        };
    }

    LockCapabilities capabilities() {
        return LockCapabilities.BASIC.withFencing(fencing).withRenewalBatch(RENEWAL_BATCH);
    }

    /** The database's clock now, and not that of the transaction's beginning. */
    Instant now(EntityManager manager) {
        return (Instant) manager.createNativeQuery(clock, Instant.class).getSingleResult();
    }

    /** Draws a token. From then on until the end of the transaction nobody else is granted the lock. */
    long draw(EntityManager manager, LockKey key, LockTable table, Duration patience) {
        var query = manager.createNativeQuery(table.filledInto(draw), Long.class);
        if (this == POSTGRESQL) {
            query.setParameter("turn", key.turn()).setParameter("patience", Long.toString(patience.toMillis()));
        }
        return (Long) query.getSingleResult();
    }

    /** What {@link #draw} does as well: nobody waits for a client that stops in this transaction, and what it commits stays. */
    void bound(EntityManager manager, Duration patience) {
        bounds.ifPresent(statement -> manager.createNativeQuery(statement, String.class)
                .setParameter("patience", Long.toString(patience.toMillis()))
                .getSingleResult());
    }

    /** Lets JDBC clients know that a lock is free, as soon as the transaction is committed. */
    void announce(EntityManager manager, LockKey key, LockTable table) {
        announce.ifPresent(statement -> manager.createNativeQuery(table.filledInto(statement), String.class)
                .setParameter("hash", key.hash())
                .getSingleResult());
    }

    /** Whether a connection is in a transaction that has not written anything. */
    boolean isUntouched(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(untouched)) {
            return rows.next() && rows.getBoolean(1);
        }
    }
}
