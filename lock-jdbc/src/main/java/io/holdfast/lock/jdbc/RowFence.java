package io.holdfast.lock.jdbc;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.NamedToken;
import io.holdfast.lock.StaleTokenException;
import io.holdfast.lock.jdbc.table.FloorTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * Lets only the latest holder of a lock read and write a row of the application's own table. The row keeps, in a column of type
 * {@code BIGINT NOT NULL DEFAULT 0}, the highest fencing token that it has seen: its floor. For H2, PostgreSQL, MariaDB and MySQL
 * (InnoDB); the lock may be in any store.
 *
 * <pre>{@code
 * // ALTER TABLE stock ADD COLUMN fence BIGINT NOT NULL DEFAULT 0
 * RowFence fence = RowFence.table("stock").key("item").lockNamed(item -> "stock:" + item).build();
 *
 * try (LockHandle held = client.lock("stock:lamp").acquire()) {
 *     try {
 *         fence.enter(connection, "lamp", held.namedToken()); // first: refused if a later holder has been here
 *         // read and write the row
 *         connection.commit();
 *     } finally {
 *         connection.rollback(); // before the lock is released; does nothing after the commit
 *     }
 * }
 * }</pre>
 *
 * <p>All takes place in the transaction of the caller, on its connection. A token below the floor is refused with
 * {@link StaleTokenException}, and nothing is changed; the caller rolls back. Any other token becomes the floor, which protects
 * what was read and written from the commit on. Going back to a savepoint before the call takes it back. Thread-safe, as it keeps
 * no connection.
 */
public final class RowFence {

    private final FloorTable floors;
    private final Function<Object, String> lockName;

    private RowFence(FloorTable floors, Function<Object, String> lockName) {
        this.floors = floors;
        this.lockName = lockName;
    }

    /**
     * Begins with the table. Names of tables and columns are not quoted: each database treats their case as in the application's
     * own statements, and reserved words are not possible.
     *
     * @param table {@code table} or {@code schema.table}, each of 1 to 63 ASCII letters, digits and underscores
     * @return a builder
     * @throws LockConfigurationException if that is not a plain identifier
     */
    public static Builder table(String table) {
        return new Builder(FloorTable.requireTable(table));
    }

    /**
     * Raises the floor of a row to a token, and keeps the row locked until the transaction ends. So nobody changes the row
     * between this call and the commit: whatever the transaction reads and writes of it needs no further check. Call it before
     * the transaction reads the row, also if it only reads: a holder that is too late could otherwise write between this holder's
     * read and its write.
     *
     * @param connection the caller's, with auto-commit off, at the isolation level READ COMMITTED or a stronger one. MariaDB and
     *     MySQL at REPEATABLE READ, their default, go on showing what the transaction saw at its first read, also of the floor's
     *     row if the floor is the token already; if that row was changed since then, MariaDB from 11.6 on fails with error 1020
     *     instead: repeat the transaction. There this call must come before any read
     * @param key which row, written exactly as the row has it: a database may find {@code 'lamp'} by {@code 'LAMP'}, but these
     *     have two locks
     * @param token of the lock that the caller holds, or believes to hold
     * @throws StaleTokenException if a later holder has been here
     * @throws IllegalArgumentException if the token is of another lock, if there is no such row, or if the floors of several rows
     *     were raised; the caller rolls back
     * @throws IllegalStateException if auto-commit is on, or the floor is NULL
     * @throws SQLException if the database fails; the transaction cannot be committed then
     */
    public void enter(Connection connection, Object key, NamedToken token) throws SQLException {
        requireLock(key, token);
        FloorTable.requireTransaction(connection);
        raise(connection, key, token, "", List.of());
    }

    /**
     * Writes a row unless a later holder has been here, in one statement: {@link #enter} and an update in one round trip.
     *
     * @param connection the caller's; with auto-commit on, the statement is a transaction by itself: what it has changed stays,
     *     also if several rows had the key and this then throws
     * @param key which row
     * @param token of the lock that the caller holds, or believes to hold
     * @param assignments what stands behind {@code SET}, such as {@code "units = ?, sold = sold + ?"}. It is a part of a
     *     statement: never put input of a user into it
     * @param values for the question marks of the assignments
     * @throws StaleTokenException if a later holder has been here
     * @throws IllegalArgumentException if the token is of another lock, if there is no such row, or if several rows were changed;
     *     the caller rolls back
     * @throws IllegalStateException if the floor is NULL; nothing is changed
     * @throws SQLException if the database fails
     */
    public void update(Connection connection, Object key, NamedToken token, String assignments, Object... values)
            throws SQLException {
        requireLock(key, token);
        Objects.requireNonNull(assignments, "assignments");
        Objects.requireNonNull(values, "values");
        raise(connection, key, token, assignments + ", ", Arrays.asList(values));
    }

    private void requireLock(Object key, NamedToken token) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(token, "token");
        token.requireLock(lockName.apply(key));
    }

    private void raise(Connection connection, Object key, NamedToken token, String assignments, List<Object> values)
            throws SQLException {
        Objects.requireNonNull(connection, "connection");
        floors.raise(connection, key, token, assignments, values);
    }

    /** Builds a guard. Not thread-safe. */
    public static final class Builder {
        private final String table;
        private String key = "id";
        private String fence = "fence";
        private Optional<String> epoch = Optional.empty();
        private Optional<Function<Object, String>> lockName = Optional.empty();

        private Builder(String table) {
            this.table = table;
        }

        /**
         * Sets the column that finds a row; {@code id} unless set. Its values have to be unique. If several rows have the key,
         * the guard notices only that it has raised more than one floor: it counts no row whose floor is above the token, or
         * NULL.
         *
         * @param column the primary key, or another column that only one row can have a value of
         * @return this builder
         */
        public Builder key(String column) {
            this.key = FloorTable.requireColumn(column);
            return this;
        }

        /**
         * Sets the column of the floor; {@code fence} unless set. A row where it is NULL is refused.
         *
         * @param column of type {@code BIGINT NOT NULL DEFAULT 0}
         * @return this builder
         */
        public Builder fence(String column) {
            this.fence = FloorTable.requireColumn(column);
            return this;
        }

        /**
         * Sets the column of the epoch. Without one, tokens of other epochs than 0 are refused with an
         * {@link IllegalArgumentException}.
         *
         * @param column of type {@code INTEGER NOT NULL DEFAULT 0}
         * @return this builder
         * @see NamedToken
         */
        public Builder epoch(String column) {
            this.epoch = Optional.of(FloorTable.requireColumn(column));
            return this;
        }

        /**
         * Sets which lock protects a row. One lock may protect several rows; one row has one lock, always the same one, since the
         * tokens of different locks cannot be compared.
         *
         * @param nameOfKey makes the name of the lock from the key of the row
         * @return this builder
         */
        public Builder lockNamed(Function<Object, String> nameOfKey) {
            this.lockName = Optional.of(Objects.requireNonNull(nameOfKey, "nameOfKey"));
            return this;
        }

        /**
         * Builds the guard.
         *
         * @return the guard
         * @throws LockConfigurationException if {@link #lockNamed} was not called
         */
        public RowFence build() {
            return new RowFence(
                    new FloorTable(table, key, fence, epoch),
                    lockName.orElseThrow(() -> new LockConfigurationException("The guard of the table " + table
                            + " does not know which lock protects a row; set it by lockNamed(key -> ...)")));
        }
    }
}
