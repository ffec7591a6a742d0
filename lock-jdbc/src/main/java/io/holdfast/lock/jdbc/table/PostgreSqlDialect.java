package io.holdfast.lock.jdbc.table;

import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockCapabilities.Fencing;
import io.holdfast.lock.LockCapabilities.WakeUp;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;

/** PostgreSQL 12 or newer. */
final class PostgreSqlDialect implements SqlDialect {

    private static final String READ_ONLY = "25006";

    /** After so long a waiting claim asks again that could not mark the row. */
    private static final int UNMARKED_MILLIS = 20;

    @Override
    public LockCapabilities capabilities() {
        return LockCapabilities.BASIC.withFencing(Fencing.STRICT).withWakeUp(WakeUp.PUSH);
    }

    /**
     * An attempt that finds the lock taken writes nothing, unless its claim waits for a message and is the first to do so since
     * the grant: then it marks the row, for the {@linkplain #release() release}. It does not wait for a row that somebody else
     * has locked, such as a release that is not committed. Nor does it see the row of a claim that was granted since the
     * statement began. Then it could not mark the row, and is told to ask again soon. After one message several clients attempt.
     * One is granted the lock; the others cannot see its row yet, so they cannot mark it. A claim that may have such rivals marks
     * its own row.
     *
     * <p>An attempt that finds the lock free first takes an advisory lock for the name, which lasts until the end of this
     * statement, and then draws the token. A row lock cannot do that: there may be no row yet. The shared lock keeps
     * {@link #raiseTokens} out from the draw until the commit; it comes second, as an attempt that has it must not wait for one
     * that waits for it.
     *
     * <p>Each number of the sequence stands for a block of tokens, of which a grant has the first: a block of numbers would not
     * be free of those that attempts for other names draw at the same time.
     *
     * <p>A commit that the server may lose would let a token be granted twice, so the statement asks for a durable one.
     */
    @Override
    public String acquire() {
        return """
                WITH attempt AS (
                    INSERT INTO {table} AS held
                        (name_hash, name, claim_id, token, version, owner_id, host, pid, thread, acquired_at, expires_at, waited)
                    SELECT :name_hash, :name, :claim_id, (nextval('{tokens}') - 1) * {stock} + 1, :version, :owner_id, :host, :pid, :thread,
                        clock_timestamp(), clock_timestamp() + :lease * interval '1 millisecond', :waited
                    FROM (
                        SELECT pg_advisory_xact_lock({advisory_class}, :advisory_id),
                            pg_advisory_xact_lock_shared({raising_class}, 0),
                            CASE WHEN current_setting('synchronous_commit') = 'off'
                                THEN set_config('synchronous_commit', 'on', true) END
                        WHERE NOT EXISTS (
                            SELECT FROM {table} WHERE name_hash = :name_hash AND claim_id <> :claim_id
                                AND expires_at > clock_timestamp())
                        OFFSET 0) AS serialized
                    ON CONFLICT (name_hash) DO UPDATE SET
                        name = excluded.name,
                        claim_id = excluded.claim_id,
                        token = CASE WHEN held.claim_id = excluded.claim_id AND held.expires_at > clock_timestamp()
                            THEN held.token ELSE excluded.token END,
                        version = excluded.version,
                        owner_id = excluded.owner_id,
                        host = excluded.host,
                        pid = excluded.pid,
                        thread = excluded.thread,
                        acquired_at = CASE WHEN held.claim_id = excluded.claim_id AND held.expires_at > clock_timestamp()
                            THEN held.acquired_at ELSE excluded.acquired_at END,
                        waited = held.waited OR excluded.waited,
                        expires_at = excluded.expires_at
                    WHERE held.claim_id = excluded.claim_id OR held.expires_at <= clock_timestamp()
                    RETURNING token, expires_at - :lease * interval '1 millisecond' AS began),
                marked AS (
                    UPDATE {table} AS held SET waited = true
                    FROM (
                        SELECT name_hash FROM {table}
                        WHERE :waits AND NOT EXISTS (SELECT FROM attempt) AND name_hash = :name_hash AND claim_id <> :claim_id
                            AND NOT waited AND expires_at > clock_timestamp()
                        FOR NO KEY UPDATE SKIP LOCKED) AS unlocked
                    WHERE held.name_hash = unlocked.name_hash
                    RETURNING true)
                SELECT token, CAST(NULL AS bigint) AS remaining,
                    CAST(extract(epoch FROM began) * 1000000 AS bigint) AS micros
                FROM attempt
                UNION ALL
                SELECT NULL,
                    CASE WHEN :waits AND NOT waited AND NOT EXISTS (SELECT FROM marked) THEN least({unmarked}, remaining)
                        ELSE remaining END,
                    NULL
                FROM {table},
                    LATERAL (SELECT CAST(ceil(extract(epoch FROM expires_at - clock_timestamp()) * 1000) AS bigint) AS remaining) AS lease
                WHERE name_hash = :name_hash AND claim_id <> :claim_id AND NOT EXISTS (SELECT FROM attempt)
                UNION ALL
                SELECT NULL, {unmarked}, NULL
                WHERE :waits AND NOT EXISTS (SELECT FROM attempt) AND NOT EXISTS (
                    SELECT FROM {table} WHERE name_hash = :name_hash AND claim_id <> :claim_id AND expires_at > clock_timestamp())
                """.replace("{unmarked}", Integer.toString(UNMARKED_MILLIS));
    }

    /**
     * The notification is sent when the deletion is committed, and not at all if nothing was deleted or the row was not marked:
     * the server lets transactions that notify commit one after the other.
     */
    @Override
    public String release() {
        return """
                WITH gone AS (
                    DELETE FROM {table} WHERE name_hash = :name_hash AND claim_id = :claim_id
                    RETURNING expires_at > clock_timestamp() AS in_force, waited)
                SELECT in_force, waited, CASE WHEN waited THEN pg_notify('{channel}', :name_hash) END FROM gone
                """;
    }

    /** Durable as well: if a crash undid it, the lease would end before its holder expects. */
    @Override
    public String renew() {
        return """
                WITH clock AS (SELECT clock_timestamp() AS now),
                asked AS (
                    SELECT * FROM unnest(
                        CAST(:name_hashes AS varchar[]), CAST(:claim_ids AS varchar[]), CAST(:leases AS bigint[]))
                        AS claim (name_hash, claim_id, lease)),
                unlocked AS (
                    SELECT held.name_hash, held.claim_id, asked.lease
                    FROM asked,
                        {table} AS held,
                        (SELECT CASE WHEN current_setting('synchronous_commit') = 'off'
                            THEN set_config('synchronous_commit', 'on', true) END OFFSET 0) AS durable
                    WHERE held.name_hash = asked.name_hash AND held.claim_id = asked.claim_id
                    FOR NO KEY UPDATE OF held SKIP LOCKED),
                prolonged AS (
                    UPDATE {table} AS held
                    SET expires_at = clock.now + unlocked.lease * interval '1 millisecond',
                        version = held.version + 1
                    FROM unlocked, clock
                    WHERE held.name_hash = unlocked.name_hash AND held.expires_at > clock_timestamp()
                    RETURNING held.claim_id)
                SELECT claim_id, true, CAST(extract(epoch FROM now) * 1000000 AS bigint) FROM prolonged, clock
                UNION ALL
                SELECT held.claim_id, false, NULL
                FROM asked JOIN {table} AS held ON held.name_hash = asked.name_hash AND held.claim_id = asked.claim_id
                WHERE held.expires_at > clock_timestamp() AND held.claim_id NOT IN (SELECT claim_id FROM unlocked)
                """;
    }

    @Override
    public String holder() {
        return """
                SELECT owner_id, host, pid, thread,
                    CAST(extract(epoch FROM acquired_at) * 1000000 AS bigint), token
                FROM {table} WHERE name_hash = :name_hash AND expires_at > clock_timestamp()
                """;
    }

    @Override
    public String highestToken() {
        return "SELECT (CASE WHEN is_called THEN last_value ELSE last_value - 1 END) * {stock} FROM {tokens}";
    }

    /**
     * Alone: between the read of the sequence and {@code setval} nobody may draw, or the sequence could be set back. The read
     * is in the list of results because a condition would be checked before the lock is taken.
     */
    @Override
    public String raiseTokens() {
        return """
                SELECT CASE WHEN (
                        SELECT (CASE WHEN is_called THEN last_value ELSE last_value - 1 END) * {stock} FROM {tokens}) < :above
                    THEN setval('{tokens}', (:above - 1) / {stock} + 1) END
                FROM (
                    SELECT pg_advisory_xact_lock({raising_class}, 0),
                        CASE WHEN current_setting('synchronous_commit') = 'off'
                            THEN set_config('synchronous_commit', 'on', true) END
                    OFFSET 0) AS alone
                """;
    }

    /** Skips locked rows: it must never make an attempt wait. */
    @Override
    public String sweep() {
        return """
                DELETE FROM {table} WHERE name_hash IN (
                    SELECT name_hash FROM {table} WHERE expires_at < clock_timestamp() - interval '1 minute'
                    LIMIT 1000 FOR UPDATE SKIP LOCKED)
                RETURNING name_hash
                """;
    }

    @Override
    public GuardStatements guards() {
        return new GuardStatements(
                "SELECT expires_at > clock_timestamp() FROM {table} WHERE name_hash = ? AND ? - token BETWEEN 0 AND {stock} - 1 FOR UPDATE",
                """
                INSERT INTO {table} AS floor (name_hash, name, epoch, fence) VALUES (?, ?, ?, ?)
                ON CONFLICT (name_hash) DO UPDATE SET
                    fence = CASE WHEN floor.epoch < excluded.epoch THEN excluded.fence
                        WHEN floor.epoch = excluded.epoch THEN greatest(floor.fence, excluded.fence) ELSE floor.fence END,
                    epoch = greatest(floor.epoch, excluded.epoch)
                """,
                "holdfast-fence-postgresql.sql");
    }

    /**
     * With the driver's time-outs each statement wakes the thread of a timer. On an idle machine that takes a fifth of the time of
     * an acquire and a release.
     */
    @Override
    public StatementLimits limits() {
        return new StatementWatch();
    }

    @Override
    public String creation() {
        return "holdfast-postgresql.sql";
    }

    /** After a switchover the connection may lead to a standby. A new connection goes to the primary. */
    @Override
    public boolean connectionLost(SQLException failure) {
        return READ_ONLY.equals(failure.getSQLState());
    }

    /** The driver knows it without asking the server: it refuses to change this setting inside a transaction. */
    @Override
    public boolean isUntouched(Connection connection) throws SQLException {
        connection.setReadOnly(connection.isReadOnly());
        return true;
    }

    @Override
    public Map<String, String> connectionProperties(Duration connectTimeout, Duration networkTimeout) {
        // Whole seconds. The socket time-out also limits the log-in, for which a connection's network time-out comes
        // too late. The time-out of the cancellation is added to the statement's own: the driver cancels on a second
        // connection, and the statement waits for that.
        return Map.of(
                "ApplicationName",
                "holdfast",
                "tcpKeepAlive",
                "true",
                "connectTimeout",
                Integer.toString(Timeouts.seconds(connectTimeout)),
                "socketTimeout",
                Integer.toString(Timeouts.seconds(networkTimeout)),
                "cancelSignalTimeout",
                "1");
    }
}
