package io.holdfast.lock.jdbc;

import io.holdfast.lock.jdbc.table.AcquireResult;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;

/** How a database tells what a statement has done: by the rows that it returns, or by what it counts. */
interface Outcomes {

    /** Prepares a statement whose outcome is wanted. */
    PreparedStatement prepare(Connection connection, String text) throws SQLException;

    /** Executes a bid. */
    AcquireResult acquired(PreparedStatement statement) throws SQLException;

    /** Executes a release; whether the claim was in force. */
    boolean released(PreparedStatement statement) throws SQLException;

    /**
     * Executes a renewal.
     *
     * @param claimIds the claims of the renewal
     * @return what has become of them; empty if it was some of them, or none, and the database does not tell which
     */
    Optional<RenewalOutcome> renewed(PreparedStatement statement, Set<String> claimIds) throws SQLException;
}
