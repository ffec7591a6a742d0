package io.holdfast.examples.fencing;

import io.holdfast.lock.FencingToken;

/**
 * The resource has served a later holder of the lock already, and refused an operation of an earlier one.
 *
 * <p>The caller has lost the lock: roll back, discard the results, and acquire again.
 */
public final class StaleTokenException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final long token;
    private final long floor;

    /**
     * Creates an exception.
     *
     * @param item which item was asked for
     * @param token the token that was refused
     * @param floor the highest token that the item has seen
     */
    public StaleTokenException(String item, FencingToken token, long floor) {
        super("Token " + token + " is stale for '" + item + "', which has seen token " + floor);
        this.token = token.value();
        this.floor = floor;
    }

    /**
     * The token that was refused.
     *
     * @return the token
     */
    public FencingToken token() {
        return new FencingToken(token);
    }

    /**
     * The highest token that the item had seen.
     *
     * @return the token
     */
    public FencingToken floor() {
        return new FencingToken(floor);
    }
}
