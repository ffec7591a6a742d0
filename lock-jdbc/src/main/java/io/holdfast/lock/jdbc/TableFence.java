package io.holdfast.lock.jdbc;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.NamedToken;
import io.holdfast.lock.StaleTokenException;
import io.holdfast.lock.jdbc.table.FloorTable;
import io.holdfast.lock.jdbc.table.LockKey;
import io.holdfast.lock.jdbc.table.SqlDialect;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import java.util.Optional;

/**
 * Lets only the latest holder of a lock work on what the lock protects, where the tables of the application cannot have a column
 * for it: a table beside them keeps, for each lock name, the highest fencing token that the database has seen. For H2,
 * PostgreSQL, MariaDB and MySQL; the lock may be in any store.
 *
 * <pre>{@code
 * TableFence fence = TableFence.table("holdfast_fence");
 *
 * try (LockHandle held = client.lock("stock:lamp").acquire()) {
 *     try {
 *         fence.enter(connection, "stock:lamp", held.namedToken()); // first: refused if a later holder has been here
 *         // read and write what the lock protects
 *         connection.commit();
 *     } finally {
 *         connection.rollback(); // before the lock is released; does nothing after the commit
 *     }
 * }
 * }</pre>
 *
 * <p>It protects only against code that calls it, too: unlike {@link RowFence#update}, no statement of the application checks
 * anything. The scripts {@code holdfast-fence-*.sql} beside this class create the table; {@link #create} runs them. One row is
 * added for each lock name, and stays: a floor that was deleted protects nothing. Going back to a savepoint before
 * the call takes it back. Thread-safe, as it keeps no connection.
 */
public final class TableFence {

    /** The name of the table in the scripts. */
    private static final String DEFAULT = "holdfast_fence";

    private final String table;
    private final FloorTable floors;

    private TableFence(String table) {
        this.table = table;
        this.floors = new FloorTable(table, "name_hash", "fence", Optional.of("epoch"));
    }

    /**
     * Creates a guard. No I/O.
     *
     * @param table {@code table} or {@code schema.table}, each of 1 to 63 ASCII letters, digits and underscores. It is not
     *     quoted: the database treats its case as in the application's own statements
     * @return the guard
     * @throws LockConfigurationException if that is not a plain identifier
     */
    public static TableFence table(String table) {
        return new TableFence(FloorTable.requireTable(table));
    }

    /**
     * Creates the table if it is missing, also if others create it at the same time. In MariaDB, MySQL and H2 this commits the
     * transaction of the connection.
     *
     * @param connection with the right to create tables. With auto-commit off in PostgreSQL, it fails if another one creates the
     *     table at the same time: roll back, and call it again
     * @throws LockConfigurationException if there is no script for its database
     * @throws SQLException if the database fails
     */
    public void create(Connection connection) throws SQLException {
        Objects.requireNonNull(connection, "connection");
        for (String sql :
                TableCreation.script(SqlDialect.of(connection).guards().creation(), DEFAULT, table)) {
            try (Statement statement = connection.createStatement()) {
                if (connection.getAutoCommit()) {
                    TableCreation.repeated(() -> statement.execute(sql));
                } else {
                    boolean unused = statement.execute(sql);
                }
            }
        }
    }

    /**
     * Raises the floor of a lock to a token, and keeps its row locked until the transaction ends: other holders of the lock wait
     * here until then. Call it before the transaction reads what the lock protects, also if it only reads.
     *
     * @param connection the caller's, with auto-commit off, at the isolation level READ COMMITTED or a stronger one. MariaDB and
     *     MySQL at REPEATABLE READ, their default, go on showing what the transaction saw at its first read, also of the floor's
     *     row if the floor is the token already; if that row was changed since then, MariaDB from 11.6 on fails with error 1020
     *     instead: repeat the transaction. There this call must come before any read
     * @param lockName the lock that protects what the transaction reads and writes
     * @param token of the lock that the caller holds, or believes to hold
     * @throws StaleTokenException if a later holder has been here; nothing is changed, and the caller rolls back
     * @throws IllegalArgumentException if the token is of another lock
     * @throws IllegalStateException if auto-commit is on
     * @throws SQLException if the database fails; the transaction cannot be committed then
     */
    public void enter(Connection connection, String lockName, NamedToken token) throws SQLException {
        Objects.requireNonNull(lockName, "lockName");
        Objects.requireNonNull(token, "token");
        token.requireLock(lockName);
        FloorTable.requireTransaction(connection);
        String hash = LockKey.of(lockName).hash();
        SqlDialect dialect = SqlDialect.of(connection);
        try {
            raise(connection, dialect, hash, token);
        } catch (SQLException failure) {
            if (!dialect.contended(failure)) {
                throw failure;
            }
            // Two holders came first at the same time: now the row of the other one is there.
            raise(connection, dialect, hash, token);
        }
        floors.requireFloor(connection, hash, token);
    }

    private void raise(Connection connection, SqlDialect dialect, String hash, NamedToken token) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement(dialect.guards().raiseFloor().replace("{table}", table))) {
            statement.setString(1, hash);
            statement.setString(2, LockKey.legible(token.lockName()));
            statement.setInt(3, token.epoch());
            statement.setLong(4, token.token().value());
            int unused = statement.executeUpdate();
        }
    }
}
