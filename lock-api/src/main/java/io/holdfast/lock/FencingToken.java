package io.holdfast.lock;

import java.util.Objects;

/**
 * A number that grows with every grant of a lock name, so that a resource can refuse the late write of a holder that has
 * been superseded.
 *
 * <p>The resource keeps the highest token that it has seen and refuses every operation that carries a smaller one. It
 * raises its floor on reads as well as on writes, else a superseded holder can still write between the new holder's read
 * and write. Tokens of different lock names are not comparable. How far the growth can be relied on is the store's
 * {@link LockCapabilities.Fencing} strength.
 *
 * @param value the token: positive, compared as a 64-bit number
 * @see <a href="https://martin.kleppmann.com/2016/02/08/how-to-do-distributed-locking.html">Kleppmann, How to do
 *     distributed locking (2016)</a>
 */
public record FencingToken(long value) implements Comparable<FencingToken> {

    /**
     * Creates a token.
     *
     * @param value the token
     * @throws IllegalArgumentException if the value is not positive
     */
    public FencingToken {
        if (value <= 0) {
            throw new IllegalArgumentException("A fencing token is positive, not " + value);
        }
    }

    @Override
    public int compareTo(FencingToken other) {
        Objects.requireNonNull(other, "other");
        return Long.compare(value, other.value);
    }

    /**
     * Whether this token belongs to a later grant than another token of the same lock name.
     *
     * @param other a token of the same lock name
     * @return true if this token is the larger one
     */
    public boolean isNewerThan(FencingToken other) {
        Objects.requireNonNull(other, "other");
        return value > other.value;
    }

    @Override
    public String toString() {
        return Long.toString(value);
    }
}
