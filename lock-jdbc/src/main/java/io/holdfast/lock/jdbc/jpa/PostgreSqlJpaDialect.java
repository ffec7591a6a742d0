package io.holdfast.lock.jdbc.jpa;

import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockCapabilities.Fencing;
import io.holdfast.lock.jdbc.table.LockKey;
import io.holdfast.lock.jdbc.table.LockTable;
import jakarta.persistence.EntityManager;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * PostgreSQL. The grants of a name take turns by the advisory lock that JDBC bids take, too, here until the end of the
 * transaction.
 */
final class PostgreSqlJpaDialect implements JpaDialect {

    /**
     * A client that is paused inside the transaction must not keep the turn for ever, so the server ends its connection. Nor does
     * it wait for ever for a row. A commit that the server may forget would let a token come twice.
     */
    private static final String BOUNDS = """
                set_config('idle_in_transaction_session_timeout', :patience, true),
                set_config('lock_timeout', :patience, true),
                CASE WHEN current_setting('synchronous_commit') = 'off'
                    THEN set_config('synchronous_commit', 'on', true) END
            """;

    private static final String BOUND = "SELECT CAST(count(*) AS text) FROM (SELECT " + BOUNDS + " OFFSET 0) AS bounds";

    private static final String DRAW = "SELECT nextval('{tokens}') FROM (SELECT pg_advisory_xact_lock({turns}, :turn), "
            + BOUNDS + " OFFSET 0) AS turn";

    @Override
    public LockCapabilities capabilities() {
        return LockCapabilities.BASIC.withFencing(Fencing.STRICT);
    }

    @Override
    public String script() {
        return "holdfast-postgresql.sql";
    }

    @Override
    public Instant now(EntityManager manager) {
        return (Instant) manager.createNativeQuery("SELECT clock_timestamp()", Instant.class)
                .getSingleResult();
    }

    @Override
    public Optional<Long> draw(EntityManager manager, LockKey key, LockTable table, Duration patience) {
        Object token = manager.createNativeQuery(table.filledInto(DRAW), Long.class)
                .setParameter("turn", key.turn())
                .setParameter("patience", millis(patience))
                .getSingleResult();
        return Optional.of((Long) token);
    }

    private static String millis(Duration patience) {
        return Long.toString(patience.toMillis());
    }

    @Override
    public void bound(EntityManager manager, Duration patience) {
        manager.createNativeQuery(BOUND, String.class)
                .setParameter("patience", millis(patience))
                .getSingleResult();
    }

    @Override
    public void announce(EntityManager manager, LockKey key, LockTable table) {
        manager.createNativeQuery(table.filledInto("SELECT CAST(pg_notify('{channel}', :hash) AS text)"), String.class)
                .setParameter("hash", key.hash())
                .getSingleResult();
    }

    @Override
    public boolean isUntouched(Connection connection) throws SQLException {
        return JpaDialect.isTrue(connection, "SELECT txid_current_if_assigned() IS NULL");
    }
}
