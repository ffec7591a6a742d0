package io.holdfast.lock.jdbc;

import io.holdfast.lock.jdbc.table.AcquireResult;
import io.holdfast.lock.jdbc.table.DatabaseFailures;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * Outcomes of statements that return no rows. There are two numbers: how many rows were changed, and the one that a statement
 * leaves behind by {@code LAST_INSERT_ID(n)}, which drivers take for a generated key.
 */
final class Counts implements Outcomes {

    /** No token is smaller, and no lease is that many milliseconds long: 34 years. */
    static final long LEAST_TOKEN = 1L << 40;

    @Override
    public PreparedStatement prepare(Connection connection, String text) throws SQLException {
        return connection.prepareStatement(text, Statement.RETURN_GENERATED_KEYS);
    }

    /** The number is the token, or, of a bid that was refused, the milliseconds that the holder's lease has left. */
    @Override
    public AcquireResult acquired(PreparedStatement statement) throws SQLException {
        int changed = statement.executeUpdate();
        try (ResultSet numbers = statement.getGeneratedKeys()) {
            long number = numbers.next() ? numbers.getLong(1) : 0;
            if (number >= LEAST_TOKEN) {
                return AcquireResult.granted(number);
            }
            if (number > 0) {
                return AcquireResult.contended(Duration.ofMillis(number));
            }
        }
        if (changed > 0) {
            throw DatabaseFailures.inOurWords(
                    "the driver or a proxy keeps the statement's LAST_INSERT_ID back, so whether the lock"
                            + " was granted is not known");
        }
        // A driver that counts changed rows only has no keys where there are none. A grant always changes a row.
        return AcquireResult.CONTENDED;
    }

    @Override
    public boolean released(PreparedStatement statement) throws SQLException {
        return statement.executeUpdate() > 0;
    }

    /** A renewal changes each row that is in force and not locked, so by their number it is known if these are all. */
    @Override
    public Optional<RenewalOutcome> renewed(PreparedStatement statement, Set<String> claimIds) throws SQLException {
        return statement.executeUpdate() == claimIds.size()
                ? Optional.of(new RenewalOutcome(claimIds, Set.of()))
                : Optional.empty();
    }
}
