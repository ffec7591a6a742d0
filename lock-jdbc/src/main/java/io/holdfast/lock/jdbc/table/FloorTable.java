package io.holdfast.lock.jdbc.table;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.NamedToken;
import io.holdfast.lock.StaleTokenException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A table whose rows keep the highest fencing token that they have seen.
 *
 * @param name the table, with its schema
 * @param key the column that finds a row
 * @param fence the column of the number
 * @param epoch the column of the epoch, if there is one
 */
public record FloorTable(String name, String key, String fence, Optional<String> epoch) {

    private static final String IDENTIFIER = "[A-Za-z_][A-Za-z0-9_]{0,62}";
    private static final Pattern COLUMN = Pattern.compile(IDENTIFIER);
    private static final Pattern TABLE = Pattern.compile("(?:" + IDENTIFIER + "\\.)?" + IDENTIFIER);

    /**
     * Returns a table's name if it consists of plain identifiers, as it becomes a part of statements. It is not quoted there.
     *
     * @param table {@code table} or {@code schema.table}
     * @return the same name
     * @throws LockConfigurationException if it does not
     */
    public static String requireTable(String table) {
        Objects.requireNonNull(table, "table");
        if (!TABLE.matcher(table).matches()) {
            throw new LockConfigurationException("The table '" + table + "' is not allowed; allowed is table or"
                    + " schema.table, each of 1 to 63 letters, digits and underscores, not beginning with a digit");
        }
        return table;
    }

    /**
     * Returns a column's name if it is a plain identifier, as it becomes a part of statements.
     *
     * @param column the name
     * @return the same name
     * @throws LockConfigurationException if it is none
     */
    public static String requireColumn(String column) {
        Objects.requireNonNull(column, "column");
        if (!COLUMN.matcher(column).matches()) {
            throw new LockConfigurationException("The column '" + column + "' is not allowed; allowed are 1 to 63"
                    + " letters, digits and underscores, not beginning with a digit");
        }
        return column;
    }

    /**
     * Refuses a connection that would commit each statement by itself: the lock of the row would end with it.
     *
     * @param connection in use by the caller
     * @throws IllegalStateException if auto-commit is on
     * @throws SQLException if the connection is closed
     */
    public static void requireTransaction(Connection connection) throws SQLException {
        Objects.requireNonNull(connection, "connection");
        if (connection.getAutoCommit()) {
            throw new IllegalStateException("Auto-commit is on; the guard works inside a transaction of the caller");
        }
    }

    /**
     * Makes a token the floor of a row, together with other assignments. The row is locked until the transaction ends.
     *
     * @param connection in use by the caller
     * @param keyValue which row
     * @param token the token
     * @param assignments more assignments, with a comma behind them; or empty
     * @param values of these
     * @throws StaleTokenException if the floor is above the token; nothing is changed
     * @throws IllegalArgumentException if there is not exactly one such row, or if the token has an epoch and the table has no
     *     column for it
     * @throws IllegalStateException if the row has no floor
     * @throws SQLException if the row came between two statements, or the database fails; the transaction has to be repeated
     */
    public void raise(Connection connection, Object keyValue, NamedToken token, String assignments, List<Object> values)
            throws SQLException {
        if (epoch.isEmpty() && token.epoch() != 0) {
            throw new IllegalArgumentException("The token is of epoch " + token.epoch()
                    + ", and the guard of the table " + name + " has no column for the epoch; allowed is 0");
        }
        String set = epoch.map(column -> column + " = ?, ").orElse("") + fence + " = ?";
        String notBelow = epoch.map(column -> "(%1$s < ? OR (%1$s = ? AND %2$s <= ?))".formatted(column, fence))
                .orElse(fence + " <= ?");
        String update = "UPDATE " + name + " SET " + assignments + set + " WHERE " + key + " = ? AND " + notBelow;
        try (PreparedStatement statement = connection.prepareStatement(update)) {
            Parameters parameters = new Parameters(statement);
            for (Object value : values) {
                parameters.add(value);
            }
            parameters.addToken(token, epoch.isPresent());
            parameters.add(keyValue);
            if (epoch.isPresent()) {
                parameters.add(token.epoch());
            }
            parameters.addToken(token, epoch.isPresent());
            int rows = statement.executeUpdate();
            if (rows > 1) {
                throw new IllegalArgumentException(
                        "'" + keyValue + "' is the " + key + " of " + rows + " rows of the table " + name
                                + "; allowed is a key of one row. Roll the transaction back, if auto-commit is off");
            }
            if (rows == 0) {
                requireFloor(connection, keyValue, token);
            }
        }
    }

    /**
     * Locks a row, and throws unless its floor is a token. A raise that has changed no row need not have been refused: see
     * {@link Floor}. Reads with a lock, as another read could show the row as it was at the begin of the transaction.
     *
     * @param connection in use by the caller
     * @param keyValue which row
     * @param token the token that the floor was raised to
     * @throws StaleTokenException if the floor is above the token
     * @throws IllegalArgumentException if there is no such row
     * @throws IllegalStateException if the row has no floor
     * @throws SQLException if the floor is below the token, or the database fails; the transaction has to be repeated
     */
    public void requireFloor(Connection connection, Object keyValue, NamedToken token) throws SQLException {
        String query =
                "SELECT " + fence + ", " + epoch.orElse("0") + " FROM " + name + " WHERE " + key + " = ? FOR UPDATE";
        try (PreparedStatement statement = connection.prepareStatement(query)) {
            statement.setObject(1, keyValue);
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    throw new IllegalArgumentException("There is no row '" + keyValue + "' in the table " + name);
                }
                if (!floor(row, keyValue).isRaisedTo(token)) {
                    throw new SQLException("The row '" + keyValue + "' of the table " + name
                            + " came between two statements; repeat the transaction");
                }
            }
        }
    }

    private Floor floor(ResultSet row, Object keyValue) throws SQLException {
        long number = row.getLong(1);
        boolean unknown = row.wasNull();
        int floorEpoch = row.getInt(2);
        if (unknown || row.wasNull()) {
            throw new IllegalStateException("The floor of the row '" + keyValue + "' in the table " + name
                    + " is NULL; allowed is a number: declare its columns NOT NULL DEFAULT 0");
        }
        return new Floor(floorEpoch, number);
    }

    /** Sets the parameters of a statement one after the other. */
    private static final class Parameters {
        private final PreparedStatement statement;
        private int position;

        Parameters(PreparedStatement statement) {
            this.statement = statement;
        }

        void add(Object value) throws SQLException {
            statement.setObject(++position, value);
        }

        void addToken(NamedToken token, boolean withEpoch) throws SQLException {
            if (withEpoch) {
                statement.setInt(++position, token.epoch());
            }
            statement.setLong(++position, token.token().value());
        }
    }
}
