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
 * Lets a transaction commit only if nobody else was granted its lock since the caller was, where the lock and the data are in one
 * database. Nothing has to be added to the application's tables, and no token has to be stored. For H2, PostgreSQL, MariaDB and
 * MySQL.
 *
 * <pre>{@code
 * OwnershipGuard guard = OwnershipGuard.table("holdfast_lock"); // the table of the JDBC or JPA provider
 *
 * try (LockHandle held = client.lock("stock:lamp").acquire()) {
 *     try {
 *         // read and write, in a transaction that began after the acquire
 *         guard.requireHeld(connection, "stock:lamp", held.namedToken()); // last, just before the commit
 *         connection.commit();
 *     } finally {
 *         connection.rollback(); // before the lock is released; does nothing after the commit
 *     }
 * }
 * }</pre>
 *
 * <p>Why that is enough: the guard reads the record of the lock and locks it until the transaction ends. The token in the record
 * is of the caller's grant, so no other claim was granted since then, and none can be until the commit, because a grant writes
 * the same record. So no other holder has been at work between the acquire and the commit, however long the caller was paused. It
 * says nothing about what was read before the acquire: the transaction has to have begun after it. The lease may end between this
 * call and the commit; the lock then stays the caller's until the transaction ends.
 *
 * <p>Holders of one client to whom a claim was {@linkplain io.holdfast.lock.LockOptions#withHandOver passed on} have one record,
 * which does not tell them apart. So a transaction has to end before its holder releases the lock, as above: the guard would let
 * it commit afterwards, too, while another thread of the client holds the lock. Where handles are released by other threads than
 * those that write, switch the hand-over off, or use a {@link RowFence}.
 *
 * <p>It refuses with {@link LockLostException}; the other guards, which compare tokens, do so with {@link
 * io.holdfast.lock.StaleTokenException}. It does not look at the epoch of the token: the record is the lock itself.
 *
 * <p>Not for a lock that moves to another store or from one: from the first client in the phase {@code BOTH} on, a hold's token
 * may be that of the other store, and each commit is refused. Guard the data by a {@link RowFence} or a {@link TableFence} before
 * the move.
 *
 * <p>While the record is locked, the release of this lock waits for the transaction, and a renewal of it fails and is repeated.
 * In PostgreSQL and H2 an attempt by JDBC is refused without waiting until the lease has ended, and waits for the transaction
 * after that; in H2 the grants of all other locks wait behind it. An attempt by JPA that finds the lease ended is refused, or
 * with the strategy optimistic waits and fails after its time-out. In MariaDB and MySQL an attempt waits at once, and with it
 * those for one other name in 256. Hence last. A process that is stopped between this call and its commit stops the others until
 * the database ends its transaction (PostgreSQL: {@code idle_in_transaction_session_timeout}). Not for a database with several
 * nodes that accept writes, such as a Galera cluster: its nodes do not know each other's row locks. Thread-safe, as it keeps no
 * connection.
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
     * Throws unless the record of the lock is still that of the caller's grant, and keeps the lock from being granted to anybody
     * else until the transaction ends. It also throws if the lease has ended, although nobody else may have the lock yet. H2
     * reads its clock once in a transaction: there a lease that ended after that reading passes, unless another claim was
     * granted.
     *
     * @param connection the caller's, with auto-commit off, to the database that has the locks. PostgreSQL and H2: at the
     *     isolation level READ COMMITTED; a stronger one, and MariaDB from 11.6 on at REPEATABLE READ, fails if the lock was
     *     renewed since the transaction first read anything
     * @param lockName the lock that protects what the transaction reads and writes
     * @param token of the grant, from {@code LockHandle.namedToken()}
     * @throws LockLostException if the lock was lost; the caller rolls back
     * @throws IllegalArgumentException if the token is of another lock
     * @throws IllegalStateException if auto-commit is on
     * @throws SQLException if the database fails; the transaction cannot be committed then
     */
    public void requireHeld(Connection connection, String lockName, NamedToken token) throws SQLException {
        Objects.requireNonNull(lockName, "lockName");
        Objects.requireNonNull(token, "token");
        token.requireLock(lockName);
        FloorTable.requireTransaction(connection);
        SqlDialect dialect = SqlDialect.of(connection);
        try (PreparedStatement query =
                connection.prepareStatement(table.filledInto(dialect.guards().ownership()))) {
            query.setString(1, LockKey.of(lockName).hash());
            query.setLong(2, token.token().value());
            try (ResultSet row = query.executeQuery()) {
                if (!row.next()) {
                    throw lost(
                            token, LossCause.TAKEN_OVER, "the table " + table + " has no record of it with this token");
                }
                if (!row.getBoolean(1)) {
                    throw lost(token, LossCause.EXPIRED, "its lease has ended");
                }
            }
        }
    }

    private static LockLostException lost(NamedToken token, LossCause cause, String why) {
        return new LockLostException(
                "The lock '" + token.lockName() + "' with token " + token.token() + " was lost (" + cause
                        + ") before the commit: " + why,
                cause);
    }
}
