package io.holdfast.lock.jdbc.table;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * Outcomes of statements that return no rows but two numbers: how many rows were changed, and the value of {@code
 * LAST_INSERT_ID(n)}, which drivers report as a generated key.
 */
final class CountedRows implements Outcomes {

    /** Every token is at least this, and no lease has so many milliseconds: 34 years. */
    static final long LEAST_TOKEN = 1L << 40;

    @Override
    public int generatedKeys() {
        return Statement.RETURN_GENERATED_KEYS;
    }

    /** The number is the token or, for a refused attempt, the milliseconds that are left of the holder's lease. */
    @Override
    public Attempt acquired(PreparedStatement statement, ClaimRequest request) throws SQLException {
        int changed = statement.executeUpdate();
        try (ResultSet numbers = statement.getGeneratedKeys()) {
            long number = numbers.next() ? numbers.getLong(1) : 0;
            if (number >= LEAST_TOKEN) {
                return new Attempt.Granted(new FencingToken(number), request.validFor());
            }
            if (number > 0) {
                return new Attempt.Contended(Optional.of(Duration.ofMillis(number)));
            }
        }
        if (changed > 0) {
            throw DatabaseFailures.ownFailure(
                    "the driver or a proxy does not pass on the statement's LAST_INSERT_ID, so whether the lock"
                            + " was granted is not known");
        }
        // A driver that counts only changed rows reports no key if there are none. A grant always changes a row.
        return LockRecords.CONTENDED;
    }

    @Override
    public ReleaseOutcome released(PreparedStatement statement) throws SQLException {
        return new ReleaseOutcome(statement.executeUpdate() > 0, false);
    }

    /** A renewal changes every row that is in force and not locked, so the count shows whether that is all of them. */
    @Override
    public Optional<RenewalOutcome> renewed(PreparedStatement statement, Set<String> claimIds) throws SQLException {
        return statement.executeUpdate() == claimIds.size()
                ? Optional.of(new RenewalOutcome(claimIds, Set.of(), Optional.empty()))
                : Optional.empty();
    }
}
