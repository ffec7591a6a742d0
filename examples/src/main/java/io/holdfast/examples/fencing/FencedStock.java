package io.holdfast.examples.fencing;

import io.holdfast.lock.FencingToken;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * A stock table that checks fencing tokens: the pattern to copy for a resource of one's own.
 *
 * <p>Beside its data each row keeps a floor, the highest token that it has seen:
 *
 * <pre>{@code
 * CREATE TABLE stock (
 *     item  VARCHAR(200) PRIMARY KEY,
 *     units INT    NOT NULL,
 *     fence BIGINT NOT NULL DEFAULT 0)
 * }</pre>
 *
 * <p>Every operation carries the token of the lock that its caller holds, or believes to hold. A token below the floor is
 * refused; any other becomes the floor. The comparison and the change are one statement, so no other writer fits between
 * them. <b>Reads raise the floor, too:</b> if they did not, a paused holder could wake up and write after the next holder has
 * read and before it writes, and the next holder would overwrite a value that it never saw.
 *
 * <p>It works inside the caller's transaction, so that a refused write takes everything else in that transaction with it. The
 * caller commits, after a read as well as after a write: the floor protects what was read from the commit on. One lock name
 * guards one item, always the same one, because tokens of different names are not comparable.
 *
 * <p>As thread-safe as its connection, which is to say: for one thread at a time.
 */
public final class FencedStock {
    private static final String RAISE_FLOOR = "UPDATE stock SET fence = ? WHERE item = ? AND fence <= ?";
    private static final String WRITE = "UPDATE stock SET units = ?, fence = ? WHERE item = ? AND fence <= ?";
    private static final String READ_UNITS = "SELECT units FROM stock WHERE item = ?";
    private static final String READ_FLOOR = "SELECT fence FROM stock WHERE item = ?";

    private final Connection connection;

    /**
     * Creates the guard.
     *
     * @param connection where the table is; with auto-commit off, and at the isolation level READ COMMITTED or a stronger one
     * @throws IllegalArgumentException if auto-commit is on
     * @throws SQLException if the connection fails
     */
    public FencedStock(Connection connection) throws SQLException {
        if (connection.getAutoCommit()) {
            throw new IllegalArgumentException("Auto-commit is on; the guard works inside a transaction of the caller");
        }
        this.connection = connection;
    }

    /**
     * Reads how many units there are, and from then on refuses earlier holders of the lock.
     *
     * @param item which item
     * @param token the token of the lock that the caller holds
     * @return the number of units
     * @throws StaleTokenException if a later holder has read or written already
     * @throws IllegalArgumentException if there is no such item
     * @throws SQLException if the database fails
     */
    public int read(String item, FencingToken token) throws SQLException {
        try (PreparedStatement raise = connection.prepareStatement(RAISE_FLOOR)) {
            raise.setLong(1, token.value());
            raise.setString(2, item);
            raise.setLong(3, token.value());
            requireAccepted(raise.executeUpdate(), item, token);
        }
        // The update holds the row's lock until the commit: what is read now is what the floor protects.
        return Math.toIntExact(readNumber(READ_UNITS, item));
    }

    /**
     * Writes how many units there are, unless a later holder of the lock has been here.
     *
     * @param item which item
     * @param units the number of units
     * @param token the token of the lock that the caller holds
     * @throws StaleTokenException if a later holder has read or written already; nothing is written
     * @throws IllegalArgumentException if there is no such item
     * @throws SQLException if the database fails
     */
    public void write(String item, int units, FencingToken token) throws SQLException {
        try (PreparedStatement write = connection.prepareStatement(WRITE)) {
            write.setInt(1, units);
            write.setLong(2, token.value());
            write.setString(3, item);
            write.setLong(4, token.value());
            requireAccepted(write.executeUpdate(), item, token);
        }
    }

    private void requireAccepted(int rows, String item, FencingToken token) throws SQLException {
        if (rows == 0) {
            throw new StaleTokenException(item, token, readNumber(READ_FLOOR, item));
        }
    }

    private long readNumber(String sql, String item) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(sql)) {
            query.setString(1, item);
            try (ResultSet row = query.executeQuery()) {
                if (!row.next()) {
                    throw new IllegalArgumentException("No such item: '" + item + "'");
                }
                return row.getLong(1);
            }
        }
    }
}
