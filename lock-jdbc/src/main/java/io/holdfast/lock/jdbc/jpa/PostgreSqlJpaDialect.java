package io.holdfast.lock.jdbc.jpa;

import io.holdfast.lock.jdbc.table.LockKey;
import io.holdfast.lock.jdbc.table.LockTable;
import io.holdfast.lock.jdbc.table.SqlDialect;
import jakarta.persistence.EntityManager;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * PostgreSQL. The advisory lock that serializes attempts by JDBC serializes those by JPA, too, until the end of the
 * transaction.
 */
final class PostgreSqlJpaDialect implements JpaDialect {

    /**
     * If a client stops inside the transaction, the server ends its connection after the time-out. The wait for a lock
     * is limited by it, too. A commit that the server may lose would let a token be granted twice, so the commit is
     * made durable.
     */
    private static final String BOUNDS = """
                set_config('idle_in_transaction_session_timeout', :timeout, true),
                set_config('lock_timeout', :timeout, true),
                CASE WHEN current_setting('synchronous_commit') = 'off'
                    THEN set_config('synchronous_commit', 'on', true) END
            """;

    private static final String BOUND = "SELECT CAST(count(*) AS text) FROM (SELECT " + BOUNDS + " OFFSET 0) AS bounds";

    private static final String DRAW =
            "SELECT nextval('{tokens}') FROM (SELECT pg_advisory_xact_lock({advisory_class}, :advisory_id), " + BOUNDS
                    + " OFFSET 0) AS serialized";

    private final SqlDialect sql = SqlDialect.of("postgresql");

    @Override
    public SqlDialect sql() {
        return sql;
    }

    @Override
    public Instant now(EntityManager manager) {
        return (Instant) manager.createNativeQuery("SELECT clock_timestamp()", Instant.class)
                .getSingleResult();
    }

    @Override
    public Optional<Long> draw(EntityManager manager, LockKey key, LockTable table, Duration timeout) {
        Object token = manager.createNativeQuery(table.filledInto(DRAW), Long.class)
                .setParameter("advisory_id", key.advisoryId())
                .setParameter("timeout", millis(timeout))
                .getSingleResult();
        return Optional.of((Long) token);
    }

    private static String millis(Duration timeout) {
        return Long.toString(timeout.toMillis());
    }

    @Override
    public void bound(EntityManager manager, Duration timeout) {
        manager.createNativeQuery(BOUND, String.class)
                .setParameter("timeout", millis(timeout))
                .getSingleResult();
    }

    @Override
    public boolean isUntouched(Connection connection) throws SQLException {
        return SqlDialect.isTrue(connection, "SELECT txid_current_if_assigned() IS NULL");
    }
}
