package io.holdfast.lock.jdbc;

import io.holdfast.lock.LockCapabilities;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * The statements of the lock algorithm in the SQL of one database. Each operation is a single statement, and reads the
 * database's clock alone.
 *
 * <p>Parameters: {@code name_hash}, {@code name}, {@code claim_id}, {@code owner_id}, {@code host}, {@code pid}, {@code
 * thread}, {@code lease} in ms; {@code advisory_id}, a number that is the same for all attempts for one name; {@code
 * counter}, a key of a row that many names share and that is no lock's; {@code version}, a random number for each
 * attempt and each renewal; and the arrays {@code name_hashes}, {@code claim_ids}, {@code leases}.
 *
 * <p>Every write changes the version of its row, for clients that read first and write later (JPA): an attempt sets it
 * to the random number, a renewal does so or adds one. It is random because rows are deleted: a count would start again
 * with the next row of the name, and a client that had read the former row would overwrite the new one.
 */
interface SqlDialect {

    /** What the database can do. */
    LockCapabilities capabilities();

    /**
     * Grants the lock if no other claim is in force. Reports the token, or the milliseconds that are left of the
     * holder's lease. As rows: the token, null unless granted and negative if the source of the tokens is missing; the
     * milliseconds, null if unknown. No row means contended, too.
     *
     * <p>The token is drawn when no other grant of the name can come in between. Drawn earlier, it could be granted
     * after a greater one.
     */
    String acquire();

    /** Deletes the record of a claim, and reports whether it was in force. */
    String release();

    /**
     * Prolongs the claims of the arrays that are in force, except those whose rows another transaction has locked:
     * waiting for these could take longer than the leases of the others last. As rows: the id of a claim, and whether
     * it was prolonged; the locked ones that are in force must be among them.
     */
    String renew();

    /**
     * Reads without a lock which claims of the arrays are in force, where {@link #renew} does not report it. A row for
     * each: the id, and whether the renewal with this {@code version} has prolonged it.
     */
    default Optional<String> inForce() {
        return Optional.empty();
    }

    /** Reads the record if it is in force: owner, host, pid, thread, microseconds from 1970 to the grant, token. */
    String holder();

    /** Deletes some records that ended long ago, or reads them if there is a {@link #removal}. A row for each: the hash. */
    String sweep();

    /**
     * Deletes the records of the array that ended long ago, where one statement cannot find and delete them without
     * blocking others.
     */
    default Optional<String> removal() {
        return Optional.empty();
    }

    /** Reads the outcomes of {@link #acquire}, {@link #release} and {@link #renew}. */
    default Outcomes outcomes() {
        return new ReturnedRows();
    }

    /** The resource with the statements that create the table. */
    String creation();

    /** Whether an attempt failed because another one for the same name was granted at the same moment. */
    boolean contended(SQLException failure);

    /**
     * Whether a connection is useless, lost or led to a read-only server, although the failure has none of the
     * SQLSTATEs by which a pool recognises that.
     */
    default boolean connectionLost(SQLException failure) {
        return false;
    }

    /**
     * Whether a connection with autocommit off is in no transaction that has done anything. In such a transaction it
     * may fail with the SQLSTATE 25001.
     */
    boolean isUntouched(Connection connection) throws SQLException;

    /** The driver settings for connections that the provider opens, unless the URL has them. */
    Map<String, String> connectionProperties(Duration connectTimeout, Duration networkTimeout);
}
