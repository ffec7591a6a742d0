package io.holdfast.lock.jdbc;

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
 * MariaDB 10.6 or newer, and MySQL 8.0 or newer: in words that both have.
 *
 * <p>All times are in UTC: that of {@code UTC_TIMESTAMP} is the time at which the statement began, also where it had to wait for
 * a row.
 */
final class MariaDbDialect implements SqlDialect {

    /** The option read_only, a transaction that is by the session's default, and InnoDB's own mode. */
    private static final Set<Integer> READ_ONLY = Set.of(1290, 1792, 1836);

    /** What a grant writes. In this order or any: none depends on what another one has overwritten. */
    private static final List<String> GRANTED =
            List.of("name", "claim_id", "version", "owner_id", "host", "pid", "thread", "acquired_at", "expires_at");

    @Override
    public LockCapabilities capabilities() {
        return LockCapabilities.BASIC.withFencing(Fencing.STRICT);
    }

    /**
     * One statement that inserts four rows, two of them twice, in this order. Each finds what the ones before it have done, and
     * what it finds there already it changes instead.
     *
     * <ol>
     *   <li>{@code #turn}: locks the row of a counter until the end of the statement. Bids for one name, which share a counter,
     *       take turns here: one that drew a token cannot be overtaken before it is granted. Waiting for the lock's own row
     *       could not do that, as it may not be there; and where it has just been deleted, InnoDB lets those who wait deadlock.
     *   <li>{@code #look}: puts a row that has ended where there is none, and looks at the one that is there. The verdict is a
     *       number: 0 if the lock is free, the token if it is this claim's, else the milliseconds that the lease has left,
     *       and never so many that they could be a token.
     *   <li>{@code #draw}: if the lock is free, raises the counter, and makes the new token the verdict.
     *   <li>the claim: writes itself into the row if the verdict is a token.
     * </ol>
     *
     * <p>{@code LAST_INSERT_ID} hands the verdict from row to row, and in the end to the client. A refused bid changes nothing.
     *
     * <p>A token is not below the clock, so tokens go on growing where somebody has emptied the table, counters and all.
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
                    token = CASE VALUES(claim_id)
                        WHEN '#look' THEN IF(LAST_INSERT_ID(CASE
                            WHEN expires_at <= UTC_TIMESTAMP(6) THEN 0
                            WHEN claim_id = :claim_id THEN token
                            ELSE LEAST({least_token} - 1,
                                TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(6), expires_at) DIV 1000 + 1) END) = 0,
                            token, token)
                        WHEN '#draw' THEN IF(LAST_INSERT_ID() = 0,
                            LAST_INSERT_ID(GREATEST(token + 1, {least_token},
                                TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6)))), token)
                        WHEN :claim_id THEN VALUES(token)
                        ELSE token END
                """.replace("{least_token}", Long.toString(Counts.LEAST_TOKEN))
                + GRANTED.stream()
                        .map(", %1$s = IF(VALUES(claim_id) = :claim_id, VALUES(%1$s), %1$s)"::formatted)
                        .collect(Collectors.joining("\n"));
    }

    /** Leaves a row that has ended to the next bid, as the rows of the dead: by its number, its deletion would be a release. */
    @Override
    public String release() {
        return """
                DELETE FROM {table}
                WHERE name_hash = :name_hash AND claim_id = :claim_id AND expires_at > UTC_TIMESTAMP(6)
                """;
    }

    /**
     * An update cannot pass over locked rows, but a read for it can. That one is made first and by the key: the limit, which is never
     * reached, keeps it from being merged into the update, and other ways to find the rows would lock those of others, too.
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

    /** What the renewal has written has its version, which no other write has. */
    @Override
    public Optional<String> inForce() {
        return Optional.of("""
                SELECT claim_id, version = :version FROM {table}
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

    /** Only reads: a deletion by a condition on no key would lock each row that it looks at. */
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
        return new Counts();
    }

    @Override
    public String creation() {
        return "holdfast-mariadb.sql";
    }

    @Override
    public boolean contended(SQLException failure) {
        return false;
    }

    /** After a switchover the connection may lead to a server that is a replica now. A new one goes where the writes are. */
    @Override
    public boolean connectionLost(SQLException failure) {
        return READ_ONLY.contains(failure.getErrorCode());
    }

    /** For the next transaction alone, and refused in the middle of one. */
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
