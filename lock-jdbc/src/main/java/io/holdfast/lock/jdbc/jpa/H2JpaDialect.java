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
import java.util.List;
import java.util.Optional;

/**
 * H2. It has no limit for a client that stops in a transaction, and nothing to tell others of a release by.
 *
 * <p>The row of the token stays locked until the end of the transaction, so all grants of a table take turns, those by JDBC as
 * well.
 */
final class H2JpaDialect implements JpaDialect {

    /** {@code CURRENT_TIMESTAMP} is the same in all of a transaction. The start of the present statement is not. */
    private static final String CLOCK =
            "SELECT executing_statement_start FROM information_schema.sessions WHERE session_id = session_id()";

    /** A row that is lost, or written again by the script, must not begin with tokens that were there before. */
    private static final String DRAW = """
            SELECT token FROM FINAL TABLE (
                UPDATE {tokens} SET token = GREATEST(
                    token + 1, CAST(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000000 AS BIGINT))
                WHERE id = 1)
            """;

    private static final String UNTOUCHED =
            "SELECT NOT contains_uncommitted FROM information_schema.sessions WHERE session_id = session_id()";

    @Override
    public LockCapabilities capabilities() {
        return LockCapabilities.BASIC.withFencing(Fencing.CLOCKED);
    }

    @Override
    public String script() {
        return "holdfast-h2.sql";
    }

    @Override
    public Instant now(EntityManager manager) {
        return (Instant) manager.createNativeQuery(CLOCK, Instant.class).getSingleResult();
    }

    @Override
    public Optional<Long> draw(EntityManager manager, LockKey key, LockTable table, Duration patience) {
        List<?> tokens =
                manager.createNativeQuery(table.filledInto(DRAW), Long.class).getResultList();
        return tokens.stream().map(Long.class::cast).findFirst();
    }

    @Override
    public void bound(EntityManager manager, Duration patience) {}

    @Override
    public void announce(EntityManager manager, LockKey key, LockTable table) {}

    @Override
    public boolean isUntouched(Connection connection) throws SQLException {
        return JpaDialect.isTrue(connection, UNTOUCHED);
    }
}
