package io.holdfast.lock.jdbc.table;

import io.holdfast.lock.NamedToken;
import io.holdfast.lock.StaleTokenException;

/**
 * The floor of a row: the highest fencing token that it has seen.
 *
 * @param epoch the epoch of that token
 * @param number its number, 0 if it has seen none
 */
public record Floor(int epoch, long number) {

    /**
     * Whether a row has the floor that it was to be raised to. A raise that has changed no row need not have been refused: some
     * drivers count only rows that are different afterwards. So the row is read after it.
     *
     * @param token that the floor was to be raised to
     * @return true if the token is the floor; false if the floor is lower, as it is if the row was deleted and inserted again
     *     while the raise waited for it. Then nothing was raised, and the transaction has to be repeated
     * @throws StaleTokenException if the floor is above the token
     */
    public boolean isRaisedTo(NamedToken token) {
        if (token.isBelow(epoch, number)) {
            throw new StaleTokenException(token, epoch, number);
        }
        return token.epoch() == epoch && token.token().value() == number;
    }
}
