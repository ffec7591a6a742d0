package io.holdfast.lock.jdbc.table;

import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockCapabilities.Fencing;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;

/** H2 2.3.232 or newer, embedded or as a server. */
final class H2Dialect implements SqlDialect {

    private static final int DUPLICATE_KEY = 23505;

    /** Connection broken; object, database or connection closed. */
    private static final Set<Integer> LOST = Set.of(90067, 90007, 90098, 90121);

    /**
     * H2 writes commits to the disk up to half a second late unless configured otherwise, so a crash may undo the last
     * grants with their tokens. A token is therefore never below the clock.
     */
    @Override
    public LockCapabilities capabilities() {
        return LockCapabilities.BASIC.withFencing(Fencing.CLOCKED);
    }

    /**
     * An attempt that finds the lock taken writes nothing. One that finds it free raises the token in its only row,
     * which stays locked until the end of the statement: the next grant of any name comes later and gets a greater
     * token. The row has the last of the tokens that were reserved.
     */
    @Override
    public String acquire() {
        return """
                SELECT token, CAST(NULL AS BIGINT) AS remaining,
                    CAST(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000000 AS BIGINT) AS micros
                FROM FINAL TABLE (
                    MERGE INTO {table} AS held
                    USING (SELECT token AS last FROM FINAL TABLE (
                        UPDATE {tokens} SET token = GREATEST(
                            token + 1, CAST(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000000 AS BIGINT)) + :tokens - 1
                        WHERE id = 1 AND NOT EXISTS (
                            SELECT 1 FROM {table} WHERE name_hash = :name_hash AND claim_id <> :claim_id
                                AND expires_at > CURRENT_TIMESTAMP))) AS candidate
                    ON held.name_hash = :name_hash
                    WHEN MATCHED AND (held.claim_id = :claim_id OR held.expires_at <= CURRENT_TIMESTAMP)
                    THEN UPDATE SET
                        name = :name,
                        claim_id = :claim_id,
                        token = CASE WHEN held.claim_id = :claim_id AND held.expires_at > CURRENT_TIMESTAMP
                            THEN held.token ELSE candidate.last - :tokens + 1 END,
                        version = :version,
                        owner_id = :owner_id,
                        host = :host,
                        pid = :pid,
                        thread = :thread,
                        acquired_at = CASE WHEN held.claim_id = :claim_id AND held.expires_at > CURRENT_TIMESTAMP
                            THEN held.acquired_at ELSE CURRENT_TIMESTAMP END,
                        expires_at = DATEADD(MILLISECOND, :lease, CURRENT_TIMESTAMP)
                    WHEN NOT MATCHED THEN INSERT
                        (name_hash, name, claim_id, token, version, owner_id, host, pid, thread, acquired_at, expires_at)
                    VALUES (:name_hash, :name, :claim_id, candidate.last - :tokens + 1, :version, :owner_id, :host, :pid, :thread,
                        CURRENT_TIMESTAMP, DATEADD(MILLISECOND, :lease, CURRENT_TIMESTAMP)))
                UNION ALL
                SELECT NULL, CAST((EXTRACT(EPOCH FROM expires_at) - EXTRACT(EPOCH FROM CURRENT_TIMESTAMP)) * 1000 AS BIGINT) + 1,
                    NULL
                FROM {table}
                WHERE name_hash = :name_hash AND claim_id <> :claim_id AND expires_at > CURRENT_TIMESTAMP
                UNION ALL
                SELECT -1, NULL, NULL WHERE NOT EXISTS (SELECT 1 FROM {tokens} WHERE id = 1)
                """;
    }

    @Override
    public String release() {
        return """
                SELECT expires_at > CURRENT_TIMESTAMP, FALSE AS announced FROM OLD TABLE (
                    DELETE FROM {table} WHERE name_hash = :name_hash AND claim_id = :claim_id)
                """;
    }

    /**
     * A prolonged claim is reported twice, one that is in force but locked once. The rows are found by the key: a join
     * may read all rows.
     */
    @Override
    public String renew() {
        return """
                SELECT claim_id, TRUE AS prolonged, CAST(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000000 AS BIGINT) AS micros
                FROM FINAL TABLE (
                    MERGE INTO {table} AS held
                    USING (
                        SELECT name_hash, claim_id, lease
                        FROM UNNEST(
                            CAST(:name_hashes AS VARCHAR ARRAY), CAST(:claim_ids AS VARCHAR ARRAY),
                            CAST(:leases AS BIGINT ARRAY)) AS asked (name_hash, claim_id, lease)
                        WHERE EXISTS (
                            SELECT 1 FROM {table} AS unlocked
                            WHERE unlocked.name_hash = asked.name_hash AND unlocked.claim_id = asked.claim_id
                            FOR UPDATE SKIP LOCKED)) AS renewed
                    ON held.name_hash = renewed.name_hash
                    WHEN MATCHED AND held.claim_id = renewed.claim_id AND held.expires_at > CURRENT_TIMESTAMP
                    THEN UPDATE SET
                        expires_at = DATEADD(MILLISECOND, renewed.lease, CURRENT_TIMESTAMP),
                        version = held.version + 1)
                UNION ALL
                SELECT claim_id, FALSE, NULL
                FROM UNNEST(CAST(:name_hashes AS VARCHAR ARRAY), CAST(:claim_ids AS VARCHAR ARRAY))
                    AS asked (name_hash, claim_id)
                WHERE EXISTS (
                    SELECT 1 FROM {table} AS held
                    WHERE held.name_hash = asked.name_hash AND held.claim_id = asked.claim_id
                        AND held.expires_at > CURRENT_TIMESTAMP)
                """;
    }

    @Override
    public String holder() {
        return """
                SELECT owner_id, host, pid, thread,
                    CAST(EXTRACT(EPOCH FROM acquired_at) * 1000000 AS BIGINT), token
                FROM {table} WHERE name_hash = :name_hash AND expires_at > CURRENT_TIMESTAMP
                """;
    }

    /** A crash may have undone the last grants: they had no greater tokens than the clock has now. */
    @Override
    public String highestToken() {
        return """
                SELECT CASE WHEN token = 0 THEN 0
                    ELSE GREATEST(token, CAST(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000000 AS BIGINT)) END
                FROM {tokens} WHERE id = 1
                """;
    }

    @Override
    public String raiseTokens() {
        return """
                SELECT token FROM FINAL TABLE (UPDATE {tokens} SET token = GREATEST(token, :above) WHERE id = 1)
                """;
    }

    /** A DELETE with this subquery would run it once for each row, and take half a minute for a thousand. */
    @Override
    public String sweep() {
        return """
                SELECT name_hash FROM OLD TABLE (
                    MERGE INTO {table} AS held
                    USING (
                        SELECT name_hash FROM {table} WHERE expires_at < DATEADD(MINUTE, -1, CURRENT_TIMESTAMP)
                        FETCH FIRST 1000 ROWS ONLY FOR UPDATE SKIP LOCKED) AS old
                    ON held.name_hash = old.name_hash
                    WHEN MATCHED THEN DELETE)
                """;
    }

    @Override
    public GuardStatements guards() {
        return new GuardStatements(
                "SELECT expires_at > CURRENT_TIMESTAMP FROM {table} WHERE name_hash = ? AND ? - token BETWEEN 0 AND {stock} - 1 FOR UPDATE",
                """
                MERGE INTO {table} AS floor
                USING (SELECT CAST(? AS VARCHAR) AS name_hash, CAST(? AS VARCHAR) AS name,
                    CAST(? AS INTEGER) AS epoch, CAST(? AS BIGINT) AS fence) AS seen
                ON floor.name_hash = seen.name_hash
                WHEN MATCHED THEN UPDATE SET
                    fence = CASE WHEN floor.epoch < seen.epoch THEN seen.fence
                        WHEN floor.epoch = seen.epoch THEN GREATEST(floor.fence, seen.fence) ELSE floor.fence END,
                    epoch = GREATEST(floor.epoch, seen.epoch)
                WHEN NOT MATCHED THEN INSERT (name_hash, name, epoch, fence)
                    VALUES (seen.name_hash, seen.name, seen.epoch, seen.fence)
                """,
                "holdfast-fence-h2.sql");
    }

    @Override
    public String creation() {
        return "holdfast-h2.sql";
    }

    /**
     * H2 reads as of the beginning of the statement: after waiting for the token row it may still not see the grant
     * before it.
     */
    @Override
    public boolean contended(SQLException failure) {
        return failure.getErrorCode() == DUPLICATE_KEY;
    }

    @Override
    public boolean connectionLost(SQLException failure) {
        return LOST.contains(failure.getErrorCode());
    }

    @Override
    public boolean isUntouched(Connection connection) throws SQLException {
        return SqlDialect.isTrue(
                connection,
                "SELECT NOT contains_uncommitted FROM information_schema.sessions WHERE session_id = session_id()");
    }

    @Override
    public Map<String, String> connectionProperties(Duration connectTimeout, Duration networkTimeout) {
        return Map.of("NETWORK_TIMEOUT", Long.toString(networkTimeout.toMillis()));
    }
}
