package io.holdfast.lock.jdbc.table;

import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.Set;

/** How a database reports what a statement has done: by returned rows, or by counts. */
public interface Outcomes {

    /**
     * What the driver has to report of an attempt.
     *
     * @return as {@link java.sql.Connection#prepareStatement(String, int)} takes it
     */
    default int generatedKeys() {
        return Statement.NO_GENERATED_KEYS;
    }

    /**
     * Executes an attempt.
     *
     * @param statement the attempt
     * @param request of the claim
     * @return the answer
     * @throws SQLException if it fails
     */
    Attempt acquired(PreparedStatement statement, ClaimRequest request) throws SQLException;

    /**
     * Executes a release.
     *
     * @param statement the release
     * @return what it found
     * @throws SQLException if it fails
     */
    ReleaseOutcome released(PreparedStatement statement) throws SQLException;

    /**
     * Executes a renewal.
     *
     * @param statement the renewal
     * @param claimIds the claims of the renewal
     * @return the outcome; empty if not all were renewed and the database does not report which
     * @throws SQLException if it fails
     */
    Optional<RenewalOutcome> renewed(PreparedStatement statement, Set<String> claimIds) throws SQLException;
}
