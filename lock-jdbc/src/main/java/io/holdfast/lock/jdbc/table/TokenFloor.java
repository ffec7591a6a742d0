package io.holdfast.lock.jdbc.table;

import io.holdfast.lock.LockConfigurationException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;

/**
 * The statements that read and raise the tokens of a table.
 *
 * @param highest reads the highest token
 * @param raise raises the tokens
 * @param privileges what both need
 */
public record TokenFloor(Sql highest, Sql raise, String privileges) {

    /** As many tokens are left above it. */
    private static final long MOST = 1L << 62;

    /**
     * Creates the statements for a table.
     *
     * @param dialect of its database
     * @param table the table
     * @return the statements
     */
    public static TokenFloor of(SqlDialect dialect, LockTable table) {
        return new TokenFloor(
                Sql.of(dialect.highestToken(), table),
                Sql.of(dialect.raiseTokens(), table),
                table.filledInto(dialect.tokenPrivileges()));
    }

    /**
     * Names an operation in failures, which say what it needs: a client may have all privileges but these.
     *
     * @param what the operation
     * @return the name
     */
    public String named(String what) {
        return what + ", which needs " + privileges + ",";
    }

    /**
     * Reads the outcome of the first statement.
     *
     * @param rows what it returned
     * @return the highest token
     * @throws SQLException also if the source of the tokens is missing
     */
    public static long highest(ResultSet rows) throws SQLException {
        if (!rows.next()) {
            throw DatabaseFailures.tokensAreMissing();
        }
        return rows.getLong(1);
    }

    /**
     * The second statement with its value.
     *
     * @param above the number
     * @return what can be executed
     * @throws LockConfigurationException if it is too large
     */
    public Sql.Bound raisedAbove(long above) {
        if (above > MOST) {
            throw new LockConfigurationException(
                    "The tokens cannot be raised above " + above + "; allowed is up to " + MOST);
        }
        // All tokens are above 0, and PostgreSQL calculates with the number: with the least one that would overflow.
        return raise.with(Map.of("above", Math.max(above, 0)));
    }

    /**
     * Executes the second statement.
     *
     * @param statement with its value
     * @return true
     * @throws SQLException also if the source of the tokens is missing
     */
    public static boolean raised(PreparedStatement statement) throws SQLException {
        if (statement.execute()) {
            try (ResultSet rows = statement.getResultSet()) {
                long unused = highest(rows);
            }
        }
        return true;
    }
}
