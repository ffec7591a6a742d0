package io.holdfast.lock.jdbc.table;

import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockCapabilities.Fencing;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * MariaDB 10.6 or newer, and MySQL 8.0 or newer: the statements work in both.
 *
 * <p>All times are in UTC. {@code UTC_TIMESTAMP} is the time at which the statement began, even if it had to wait for a
 * row.
 */
final class MariaDbDialect implements SqlDialect {

    /** Errors of the option read_only, of a session whose transactions are read-only, and of InnoDB's read-only mode. */
    private static final Set<Integer> READ_ONLY = Set.of(1290, 1792, 1836);

    /** The columns that every attempt of the holder writes, in any order: none depends on what another one has overwritten. */
    private static final List<String> GRANTED =
            List.of("name", "claim_id", "version", "owner_id", "host", "pid", "thread", "expires_at");

    @Override
    public LockCapabilities capabilities() {
        return LockCapabilities.BASIC.withFencing(Fencing.STRICT);
    }

    /**
     * One statement that inserts four rows, two keys twice, in this order. Each row sees what the ones before it have done; a row
     * that exists already is changed instead.
     *
     * <ol>
     *   <li>{@code #turn}: locks the counter row until the end of the statement. Attempts for one name share a counter, so they
     *   run one after the other from here on, and no token is granted after a greater one. Waiting for the lock's own row would
     *   not do: it may not exist, and where it was just deleted, InnoDB lets waiting statements deadlock.
     *   <li>{@code #look}: inserts an expired row if there is none, and reads the existing one. The result is a number: 0 if the
     *       lock is free, the token if it is this claim's, else the milliseconds that are left of the lease, capped below any
     *       token.
     *   <li>{@code #draw}: if the lock is free, raises the counter to the last of the tokens that are reserved, and makes the
     *   first the result.
     *   <li>the claim: writes itself into the row if the result is a token.
     * </ol>
     *
     * <p>{@code LAST_INSERT_ID} passes the result from row to row, and finally to the client. A refused attempt changes nothing.
     *
     * <p>The assignments take effect in their order: that of {@code acquired_at} is the first, as it compares the token of
     * before. A repeated attempt has the same token, and keeps the time of its grant.
     *
     * <p>A token is never below the clock, so tokens keep growing after the table was emptied, counters and all.
     */
    @Override
    public String acquire() {
        return """
                INSERT INTO {table}
                    (name_hash, name, claim_id, token, version, owner_id, host, pid, thread, acquired_at, expires_at)
                VALUES
                    (:counter, '#token', '#turn', 0, 0, '-', '-', 0, '-', UTC_TIMESTAMP(6), '9999-12-31'),
                    (:name_hash, '-', '#look', LAST_INSERT_ID(0), 0, '-', '-', 0, '-', UTC_TIMESTAMP(6), '1970-01-02'),
                    (:counter, '#token', '#draw', 0, 0, '-', '-', 0, '-', UTC_TIMESTAMP(6), '9999-12-31'),
                    (:name_hash, :name, IF(LAST_INSERT_ID() >= {least_token}, :claim_id, '#none'), LAST_INSERT_ID(),
                        :version, :owner_id, :host, :pid, :thread,
                        UTC_TIMESTAMP(6), UTC_TIMESTAMP(6) + INTERVAL :lease * 1000 MICROSECOND)
                ON DUPLICATE KEY UPDATE
                    acquired_at = IF(VALUES(claim_id) = :claim_id AND VALUES(token) <> token,
                        VALUES(acquired_at), acquired_at),
                    token = CASE VALUES(claim_id)
                        WHEN '#look' THEN IF(LAST_INSERT_ID(CASE
                            WHEN expires_at <= UTC_TIMESTAMP(6) THEN 0
                            WHEN claim_id = :claim_id THEN token
                            ELSE LEAST({least_token} - 1,
                                TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(6), expires_at) DIV 1000 + 1) END) = 0,
                            token, token)
                        WHEN '#draw' THEN IF(LAST_INSERT_ID() = 0,
                            LAST_INSERT_ID(GREATEST(token + 1, {least_token},
                                TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6)))) + :tokens - 1, token)
                        WHEN :claim_id THEN VALUES(token)
                        ELSE token END
                """.replace("{least_token}", Long.toString(CountedRows.LEAST_TOKEN))
                + GRANTED.stream()
                        .map(", %1$s = IF(VALUES(claim_id) = :claim_id, VALUES(%1$s), %1$s)"::formatted)
                        .collect(Collectors.joining("\n"));
    }

    /**
     * Leaves a row whose lease has ended to the next attempt: by the count alone, its deletion would look like a
     * release.
     */
    @Override
    public String release() {
        return """
                DELETE FROM {table}
                WHERE name_hash = :name_hash AND claim_id = :claim_id AND expires_at > UTC_TIMESTAMP(6)
                """;
    }

    /**
     * An update cannot skip locked rows, but a locking read can. The limit, which is never reached, keeps the read from
     * being merged into the update. The rows are found by the key, as other ways would lock the rows of other claims.
     */
    @Override
    public String renew() {
        return """
                UPDATE (
                        SELECT name_hash FROM {table} FORCE INDEX (PRIMARY)
                        WHERE name_hash IN (:name_hashes[]) AND claim_id IN (:claim_ids[])
                        LIMIT 1000 FOR UPDATE SKIP LOCKED) AS unlocked
                    STRAIGHT_JOIN {table} AS held ON held.name_hash = unlocked.name_hash
                SET held.expires_at = UTC_TIMESTAMP(6)
                        + INTERVAL ELT(FIELD(held.claim_id, :claim_ids[]), :leases[]) * 1000 MICROSECOND,
                    held.version = :version
                WHERE held.expires_at > UTC_TIMESTAMP(6)
                """;
    }

    /** The rows that the renewal has written have its version, which no other write has. */
    @Override
    public Optional<String> inForce() {
        return Optional.of("""
                SELECT claim_id, version = :version, NULL FROM {table}
                WHERE name_hash IN (:name_hashes[]) AND claim_id IN (:claim_ids[]) AND expires_at > UTC_TIMESTAMP(6)
                """);
    }

    @Override
    public String holder() {
        return """
                SELECT owner_id, host, pid, thread, TIMESTAMPDIFF(MICROSECOND, '1970-01-01', acquired_at), token
                FROM {table} WHERE name_hash = :name_hash AND expires_at > UTC_TIMESTAMP(6)
                """;
    }

    @Override
    public String highestToken() {
        return "SELECT COALESCE(MAX(token), 0) FROM {table} WHERE name_hash LIKE '#%'";
    }

    /** All counters, also those that no attempt has needed yet. In their order, so that two such statements do not deadlock. */
    @Override
    public String raiseTokens() {
        return """
                INSERT INTO {table}
                    (name_hash, name, claim_id, token, version, owner_id, host, pid, thread, acquired_at, expires_at)
                WITH RECURSIVE counters (number) AS (
                    SELECT 0 UNION ALL SELECT number + 1 FROM counters WHERE number < 255)
                SELECT CONCAT('#', LPAD(LOWER(HEX(number)), 2, '0')), '#token', '#turn', :above, 0, '-', '-', 0, '-',
                    UTC_TIMESTAMP(6), '9999-12-31'
                FROM counters ORDER BY number
                ON DUPLICATE KEY UPDATE token = GREATEST(token, VALUES(token))
                """;
    }

    @Override
    public String tokenPrivileges() {
        return "SELECT, INSERT and UPDATE on {table}";
    }

    /** Only reads: a DELETE by a condition on no key would lock each row that it looks at. */
    @Override
    public String sweep() {
        return """
                SELECT name_hash FROM {table}
                WHERE expires_at < UTC_TIMESTAMP(6) - INTERVAL 1 MINUTE LIMIT 1000
                """;
    }

    @Override
    public Optional<String> removal() {
        return Optional.of("""
                DELETE held FROM (
                        SELECT name_hash FROM {table} FORCE INDEX (PRIMARY)
                        WHERE name_hash IN (:name_hashes[]) AND expires_at < UTC_TIMESTAMP(6) - INTERVAL 1 MINUTE
                        LIMIT 1000 FOR UPDATE SKIP LOCKED) AS unlocked
                    STRAIGHT_JOIN {table} AS held ON held.name_hash = unlocked.name_hash
                """);
    }

    @Override
    public Outcomes outcomes() {
        return new CountedRows();
    }

    /** The assignments take effect in their order: the number is computed from the epoch of before. */
    @Override
    public GuardStatements guards() {
        return new GuardStatements(
                "SELECT expires_at > UTC_TIMESTAMP(6) FROM {table} WHERE name_hash = ? AND ? - token BETWEEN 0 AND {stock} - 1 FOR UPDATE",
                """
                INSERT INTO {table} (name_hash, name, epoch, fence) VALUES (?, ?, ?, ?)
                ON DUPLICATE KEY UPDATE
                    fence = CASE WHEN epoch < VALUES(epoch) THEN VALUES(fence)
                        WHEN epoch = VALUES(epoch) THEN GREATEST(fence, VALUES(fence)) ELSE fence END,
                    epoch = GREATEST(epoch, VALUES(epoch))
                """,
                "holdfast-fence-mariadb.sql");
    }

    @Override
    public String creation() {
        return "holdfast-mariadb.sql";
    }

    /** After a switchover the connection may lead to a replica. A new connection goes to the primary. */
    @Override
    public boolean connectionLost(SQLException failure) {
        return READ_ONLY.contains(failure.getErrorCode());
    }

    /** Applies to the next transaction alone, and is refused inside one. */
    @Override
    public boolean isUntouched(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET TRANSACTION READ WRITE");
            return true;
        }
    }

    @Override
    public Map<String, String> connectionProperties(Duration connectTimeout, Duration networkTimeout) {
        return Map.of(
                "tcpKeepAlive",
                "true",
                "connectTimeout",
                Long.toString(connectTimeout.toMillis()),
                "socketTimeout",
                Long.toString(networkTimeout.toMillis()));
    }
}
