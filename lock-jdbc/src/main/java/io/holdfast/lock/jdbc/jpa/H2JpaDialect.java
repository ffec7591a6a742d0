package io.holdfast.lock.jdbc.jpa;

import io.holdfast.lock.jdbc.table.LockKey;
import io.holdfast.lock.jdbc.table.LockTable;
import io.holdfast.lock.jdbc.table.SqlDialect;
import jakarta.persistence.EntityManager;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * H2. It cannot limit how long a client stops inside a transaction, and has no notifications.
 *
 * <p>The token row stays locked until the end of the transaction, so all grants of a table, also those by JDBC, are
 * serialized.
 */
final class H2JpaDialect implements JpaDialect {

    /** {@code CURRENT_TIMESTAMP} is fixed for a transaction. The start of the current statement is not. */
    private static final String CLOCK =
            "SELECT executing_statement_start FROM information_schema.sessions WHERE session_id = session_id()";

    /** If the row was lost or written anew by the script, tokens must not start again from lower values. */
    private static final String DRAW = """
            SELECT token FROM FINAL TABLE (
                UPDATE {tokens} SET token = GREATEST(
                    token + 1, CAST(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000000 AS BIGINT))
                WHERE id = 1)
            """;

    private final SqlDialect sql = SqlDialect.of("h2");

    @Override
    public SqlDialect sql() {
        return sql;
    }

    @Override
    public Instant now(EntityManager manager) {
        return (Instant) manager.createNativeQuery(CLOCK, Instant.class).getSingleResult();
    }

    @Override
    public Optional<Long> draw(EntityManager manager, LockKey key, LockTable table, Duration timeout) {
        List<?> tokens =
                manager.createNativeQuery(table.filledInto(DRAW), Long.class).getResultList();
        return tokens.stream().map(Long.class::cast).findFirst();
    }

    @Override
    public void bound(EntityManager manager, Duration timeout) {}

    @Override
    public boolean isUntouched(Connection connection) throws SQLException {
        return sql.isUntouched(connection);
    }
}
