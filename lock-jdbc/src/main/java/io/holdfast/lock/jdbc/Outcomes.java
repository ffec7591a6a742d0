package io.holdfast.lock.jdbc;

import io.holdfast.lock.jdbc.table.RenewalOutcome;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;

/** How a database reports what a statement has done: by returned rows, or by counts. */
interface Outcomes {

    /** Prepares a statement so that its outcome can be read. */
    PreparedStatement prepare(Connection connection, String text) throws SQLException;

    /** Executes an attempt. */
    Attempt acquired(PreparedStatement statement, ClaimRequest request) throws SQLException;

    /** Executes a release; returns whether the claim was in force. */
    boolean released(PreparedStatement statement) throws SQLException;

    /**
     * Executes a renewal.
     *
     * @param claimIds the claims of the renewal
     * @return the outcome; empty if not all were renewed and the database does not report which
     */
    Optional<RenewalOutcome> renewed(PreparedStatement statement, Set<String> claimIds) throws SQLException;
}
