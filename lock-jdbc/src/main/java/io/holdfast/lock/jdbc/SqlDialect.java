package io.holdfast.lock.jdbc;

import io.holdfast.lock.LockCapabilities;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * The statements of one algorithm in the words of one database. Each is a single statement, and reads the database's clock
 * alone.
 *
 * <p>Parameters: {@code name_hash}, {@code name}, {@code claim_id}, {@code owner_id}, {@code host}, {@code pid},
 * {@code thread}, {@code lease} in ms; {@code turn}, a number that is the same for all bids of one name; {@code counter},
 * a key that many names share and that is no lock's; {@code version}, a random number for each bid and each renewal; and the arrays
 * {@code name_hashes}, {@code claim_ids}, {@code leases}.
 *
 * <p>Every write changes the version of its row, for clients that read first and write later (JPA): a bid sets it to the random
 * number, a renewal does so or adds one. It is random because rows are deleted: a count would come back with the next row of the name, and
 * a client that had read the former row would overwrite the latter.
 */
interface SqlDialect {

    /** What the database can do. */
    LockCapabilities capabilities();

    /**
     * Grants if nobody else's claim is in force. Tells the token, or the milliseconds that the holder's lease has left. As rows:
     * the token, null unless granted and negative if what tokens come from is missing; the milliseconds, null if unknown. No row
     * says contended, too.
     *
     * <p>The token is drawn when no other grant of the name can come in between, not before: a bid that drew a token and was
     * overtaken would otherwise be granted later with the smaller one.
     */
    String acquire();

    /** Deletes the record of a claim, and tells whether it was in force. */
    String release();

    /**
     * Prolongs all claims of the arrays that are in force, but for those whose rows a transaction of somebody else has locked: it
     * waits for none, as that could take longer than the leases of the others last. As rows: the id of a claim, and whether it was
     * prolonged; those that are in force but locked have to be among them.
     */
    String renew();

    /**
     * Reads without a lock which claims of the arrays are in force, where {@link #renew} does not tell. A row for each: the id, and
     * whether the renewal with this {@code version} has prolonged it.
     */
    default Optional<String> inForce() {
        return Optional.empty();
    }

    /** Reads the record that is in force: owner, host, pid, thread, microseconds from 1970 to the grant, token. */
    String holder();

    /** Deletes some records that ended long ago, or reads them if there is a {@link #removal}. A row for each: the hash. */
    String sweep();

    /** Deletes those of the array that ended long ago, where one statement cannot do both without being in the way of others. */
    default Optional<String> removal() {
        return Optional.empty();
    }

    /** How the outcomes of {@link #acquire}, {@link #release} and {@link #renew} are told. */
    default Outcomes outcomes() {
        return new ReturnedRows();
    }

    /** The resource with the statements that create the table. */
    String creation();

    /** Whether a bid failed because another one of the same name was granted in the same moment. */
    boolean contended(SQLException failure);

    /**
     * Whether a connection is of no use any more, lost or led to a server that is read-only, where the failure has none of the
     * SQLSTATEs by which a pool sees that.
     */
    default boolean connectionLost(SQLException failure) {
        return false;
    }

    /**
     * Whether a connection with autocommit off is in no transaction that has done anything. May fail with the SQLSTATE 25001 if it
     * is in one.
     */
    boolean isUntouched(Connection connection) throws SQLException;

    /** The driver's own settings for connections that we open, unless the URL has them. */
    Map<String, String> connectionProperties(Duration connectTimeout, Duration networkTimeout);
}
