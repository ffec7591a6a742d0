package io.holdfast.lock.jdbc.table;

/**
 * What the guards need of a database. Parameters are set by position.
 *
 * @param ownership reads the record of a grant and locks it until the transaction ends. Parameters: the hash of the name, a token
 *     of the grant: that of the record or one that was reserved with it.
 *     As a row: whether it is in force. No row means that the record is gone or another claim's
 * @param raiseFloor raises the floor of a lock name to a token, or leaves it if it is above that; locks its row until the
 *     transaction ends. Parameters: the hash of the name, the name, the epoch, the token
 * @param creation the resource with the statements that create the table of floors
 */
public record GuardStatements(String ownership, String raiseFloor, String creation) {}
