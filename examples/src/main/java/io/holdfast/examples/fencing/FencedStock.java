package io.holdfast.examples.fencing;

import io.holdfast.lock.NamedToken;
import io.holdfast.lock.StaleTokenException;
import io.holdfast.lock.jdbc.RowFence;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * A stock table whose rows refuse what an earlier holder of the lock still reads or writes:
 *
 * <pre>{@code
 * CREATE TABLE stock (
 *     item  VARCHAR(200) PRIMARY KEY,
 *     units INT    NOT NULL,
 *     fence BIGINT NOT NULL DEFAULT 0)
 * }</pre>
 *
 * <p>The lock {@code stock:lamp} protects the row {@code lamp}. It works inside the caller's transaction, so that a refused write
 * takes everything else in that transaction with it. The caller commits, after a read as well as after a write: the floor
 * protects what was read from the commit on.
 *
 * <p>As thread-safe as its connection, which is to say: for one thread at a time.
 */
public final class FencedStock {
    private static final RowFence FENCE = RowFence.table("stock")
            .key("item")
            .lockNamed(item -> "stock:" + item)
            .build();

    private final Connection connection;

    /**
     * Creates the stock.
     *
     * @param connection where the table is; with auto-commit off, and at the isolation level READ COMMITTED or a stronger one
     */
    public FencedStock(Connection connection) {
        this.connection = connection;
    }

    /**
     * Reads how many units there are, and from then on refuses earlier holders of the lock.
     *
     * @param item which item
     * @param token of the lock that the caller holds
     * @return the number of units
     * @throws StaleTokenException if a later holder has read or written already
     * @throws IllegalArgumentException if there is no such item
     * @throws IllegalStateException if auto-commit is on
     * @throws SQLException if the database fails
     */
    public int read(String item, NamedToken token) throws SQLException {
        FENCE.enter(connection, item, token); // the row stays locked until the commit
        try (PreparedStatement query = connection.prepareStatement("SELECT units FROM stock WHERE item = ?")) {
            query.setString(1, item);
            try (ResultSet row = query.executeQuery()) {
                row.next();
                return row.getInt(1);
            }
        }
    }

    /**
     * Writes how many units there are, unless a later holder of the lock has been here.
     *
     * @param item which item
     * @param units the number of units
     * @param token of the lock that the caller holds
     * @throws StaleTokenException if a later holder has read or written already; nothing is written
     * @throws IllegalArgumentException if there is no such item
     * @throws SQLException if the database fails
     */
    public void write(String item, int units, NamedToken token) throws SQLException {
        FENCE.update(connection, item, token, "units = ?", units);
    }
}
