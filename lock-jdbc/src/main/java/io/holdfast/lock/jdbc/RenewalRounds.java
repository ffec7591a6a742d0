package io.holdfast.lock.jdbc;

import io.holdfast.lock.jdbc.table.ClaimValues;
import io.holdfast.lock.jdbc.table.LockTable;
import io.holdfast.lock.jdbc.table.Outcomes;
import io.holdfast.lock.jdbc.table.RenewalOutcome;
import io.holdfast.lock.jdbc.table.ReturnedRows;
import io.holdfast.lock.jdbc.table.Sql;
import io.holdfast.lock.jdbc.table.SqlDialect;
import io.holdfast.lock.spi.ClaimRequest;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Renews claims by one statement, which waits for no locked row. Where the database only counts rows and some are
 * missing, a second statement asks which, however many are lost. Thread-safe.
 */
final class RenewalRounds {

    /**
     * An attempt of another client may lock the row for a moment, in MariaDB and MySQL each one. So locked claims are renewed
     * again, at most so often.
     */
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

    RenewalOutcome of(List<ClaimRequest> requests) throws SQLException {
        RenewalOutcome outcome = once(requests);
        for (int round = 2; !outcome.locked().isEmpty() && round <= ROUNDS; round++) {
            Set<String> locked = outcome.locked();
            outcome = outcome.followedBy(once(requests.stream()
                    .filter(request -> locked.contains(request.claimId()))
                    .toList()));
        }
        return outcome;
    }

    private RenewalOutcome once(List<ClaimRequest> requests) throws SQLException {
        Map<String, Object> values = ClaimValues.of(requests);
        Set<String> ids = requests.stream().map(ClaimRequest::claimId).collect(Collectors.toSet());
        Optional<RenewalOutcome> known =
                connections.runOnKept(renew.with(values), statement -> outcomes.renewed(statement, ids));
        return known.isPresent()
                ? known.get()
                : connections.runOnKept(inForce.orElseThrow().with(values), RenewalRounds::readInForce);
    }

    /** Reads committed rows whatever isolation the connection has: an uncommitted deletion is not a loss. */
    private static RenewalOutcome readInForce(PreparedStatement statement) throws SQLException {
        Connection connection = statement.getConnection();
        if (connection.getTransactionIsolation() == Connection.TRANSACTION_READ_UNCOMMITTED) {
            try (Statement isolation = connection.createStatement()) {
                // Without SESSION it applies to the next statement alone.
                isolation.execute("SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
            }
        }
        return Sql.reading(ReturnedRows::renewed).of(statement);
    }
}
