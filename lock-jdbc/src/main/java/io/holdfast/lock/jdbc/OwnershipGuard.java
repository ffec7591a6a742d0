package io.holdfast.lock.jdbc;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.NamedToken;
import io.holdfast.lock.jdbc.table.FloorTable;
import io.holdfast.lock.jdbc.table.LockKey;
import io.holdfast.lock.jdbc.table.LockTable;
import io.holdfast.lock.jdbc.table.SqlDialect;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Objects;

/**
 * Lets a transaction commit only while its lock is held, where the lock and the data are in one database. Nothing has to be added to
 * the application's tables, and no token has to be stored.
 *
 * <pre>{@code
 * OwnershipGuard guard = OwnershipGuard.table("holdfast_lock"); // the table of the JDBC or JPA provider
 *
 * try (LockHandle held = client.lock("stock:lamp").acquire()) {
 *     // read and write, in a transaction that began after the acquire
 *     guard.requireHeld(connection, held.namedToken()); // last, just before the commit
 *     connection.commit();
 * }
 * }</pre>
 *
 * <p>Why that is enough: the guard reads the record of the lock and locks it until the transaction ends. The token in the record is
 * that of the caller's grant, so no other claim was granted since then, and none can be until the commit, because a grant writes
 * the same record. So no other holder has been at work between the acquire and the commit, however long the caller was paused.
 *
 * <p>While the record is locked, attempts and the release of this lock wait for the transaction, and a renewal of it fails and is
 * repeated. Hence last. A process that is stopped between this call and its commit stops the others until the database ends its transaction
 * (PostgreSQL: {@code idle_in_transaction_session_timeout}). In MariaDB and H2 attempts for some other locks may wait as well. Not for
 * a database with several nodes that accept writes, such as a Galera cluster: its nodes do not know each other's row locks.
 * Thread-safe, as it keeps no connection.
 */
public final class OwnershipGuard {

    private final LockTable table;

    private OwnershipGuard(LockTable table) {
        this.table = table;
    }

    /**
     * Creates a guard. No I/O.
     *
     * @param table the table of the locks: {@code table} or {@code schema.table}
     * @return the guard
     * @throws LockConfigurationException if that is not a plain identifier
     */
    public static OwnershipGuard table(String table) {
        Objects.requireNonNull(table, "table");
        return new OwnershipGuard(LockTable.of(table));
    }

    /**
     * Throws unless the lock is still held, and keeps it from being granted to anybody else until the transaction ends.
     *
     * @param connection the caller's, with auto-commit off, to the database that has the locks. PostgreSQL and H2: at the isolation
     *     level READ COMMITTED; a stronger one, and MariaDB from 11.6 on at REPEATABLE READ, fails if the lock was renewed since the
     *     transaction began
     * @param token of the grant, from {@code LockHandle.namedToken()}
     * @throws LockLostException if the lock was lost; the caller rolls back
     * @throws IllegalStateException if auto-commit is on
     * @throws SQLException if the database fails; the transaction cannot be committed then
     */
    public void requireHeld(Connection connection, NamedToken token) throws SQLException {
        Objects.requireNonNull(token, "token");
        FloorTable.requireTransaction(connection);
        SqlDialect dialect = SqlDialect.of(connection);
        try (PreparedStatement query = connection.prepareStatement(table.filledInto(dialect.ownership()))) {
            query.setString(1, LockKey.of(token.lockName()).hash());
            query.setLong(2, token.token().value());
            try (ResultSet row = query.executeQuery()) {
                if (!row.next()) {
                    throw lost(token, LossCause.TAKEN_OVER);
                }
                if (!row.getBoolean(1)) {
                    throw lost(token, LossCause.EXPIRED);
                }
            }
        }
    }

    private static LockLostException lost(NamedToken token, LossCause cause) {
        return new LockLostException(
                "The lock '" + token.lockName() + "' with token " + token.token() + " was lost (" + cause
                        + ") before the commit",
                cause);
    }
}
