package io.holdfast.lock.jdbc;

import io.holdfast.lock.LockCapabilities;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;

/**
 * The statements of one algorithm in the words of one database. Each is a single statement, and reads the database's clock
 * alone.
 *
 * <p>Parameters: {@code name_hash}, {@code name}, {@code claim_id}, {@code owner_id}, {@code host}, {@code pid},
 * {@code thread}, {@code lease} in ms; {@code turn}, a number that is the same for all bids of one name; and the arrays
 * {@code name_hashes}, {@code claim_ids}, {@code leases}.
 */
interface SqlDialect {

    /** What the database can do. */
    LockCapabilities capabilities();

    /**
     * Grants if nobody else's claim is in force. Columns: the token, null unless granted; the milliseconds that the holder's
     * lease has left, null if unknown. No row says contended, too.
     *
     * <p>The token is drawn when no other grant of the name can come in between, not before: a bid that drew a token and was
     * overtaken would otherwise be granted later with the smaller one.
     */
    String acquire();

    /** Deletes the record of a claim. One row if there was one: whether it was still in force. */
    String release();

    /** Prolongs all claims of the arrays that are in force. A row for each: the claim id. */
    String renew();

    /** Reads the record that is in force. Columns as {@link LockRecords} reads them. */
    String holder();

    /** Deletes some records that ended long ago. */
    String sweep();

    /** The resource with the statements that create the table. */
    String creation();

    /** Whether a bid failed because another one of the same name was granted in the same moment. */
    boolean contended(SQLException failure);

    /** The driver's own settings for connections that we open, unless the URL has them. */
    Map<String, String> connectionProperties(Duration connectTimeout, Duration networkTimeout);
}
