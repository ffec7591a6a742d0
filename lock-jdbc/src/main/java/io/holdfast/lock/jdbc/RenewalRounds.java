package io.holdfast.lock.jdbc;

import io.holdfast.lock.jdbc.table.LockKey;
import io.holdfast.lock.jdbc.table.LockTable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The renewal of claims: one statement, which waits for no row that somebody else has locked. Where the database only counts rows
 * and they are too few, one more tells of which claims; however many are lost, there is nothing to be asked of each. Thread-safe.
 */
final class RenewalRounds {

    /** In a database whose bids lock the row that they look at, the holder may meet one. The next round mostly does not. */
    private static final int ROUNDS = 6;

    private final Connections connections;
    private final Outcomes outcomes;
    private final Sql renew;
    private final Optional<Sql> inForce;

    RenewalRounds(Connections connections, SqlDialect dialect, LockTable table) {
        this.connections = connections;
        this.outcomes = dialect.outcomes();
        this.renew = Sql.of(dialect.renew(), table);
        this.inForce = dialect.inForce().map(statement -> Sql.of(statement, table));
    }

    RenewalOutcome of(List<JdbcClaim> claims) throws SQLException {
        RenewalOutcome outcome = once(claims);
        for (int round = 2; inForce.isPresent() && !outcome.locked().isEmpty() && round <= ROUNDS; round++) {
            Set<String> locked = outcome.locked();
            outcome = outcome.followedBy(once(
                    claims.stream().filter(claim -> locked.contains(claim.id())).toList()));
        }
        return outcome;
    }

    private RenewalOutcome once(List<JdbcClaim> claims) throws SQLException {
        Map<String, Object> values = values(claims);
        Set<String> ids = Set.of((String[]) values.get("claim_ids"));
        Optional<RenewalOutcome> known = connections.runReserved(
                renew, values, outcomes::prepare, statement -> outcomes.renewed(statement, ids));
        return known.isPresent()
                ? known.get()
                : connections.runReserved(
                        inForce.orElseThrow(), values, Connection::prepareStatement, RenewalRounds::look);
    }

    /** Looks at what is committed, whatever isolation the connection has: a deletion that may yet be rolled back is no loss. */
    private static RenewalOutcome look(PreparedStatement statement) throws SQLException {
        Connection connection = statement.getConnection();
        if (connection.getTransactionIsolation() == Connection.TRANSACTION_READ_UNCOMMITTED) {
            try (Statement isolation = connection.createStatement()) {
                // Without SESSION: for the next statement alone.
                isolation.execute("SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
            }
        }
        try (ResultSet rows = statement.executeQuery()) {
            return ReturnedRows.renewed(rows);
        }
    }

    private static Map<String, Object> values(List<JdbcClaim> claims) {
        return Map.of(
                "name_hashes", claims.stream().map(claim -> claim.key().hash()).toArray(String[]::new),
                "claim_ids", claims.stream().map(JdbcClaim::id).toArray(String[]::new),
                "leases",
                        claims.stream()
                                .map(claim -> claim.request().leaseTime().toMillis())
                                .toArray(Long[]::new),
                "version", LockKey.newVersion());
    }
}
