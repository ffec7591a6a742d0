package io.holdfast.lock;

import java.util.Objects;

/**
 * A resource refused a fencing token: it has seen a greater one of the lock, or one of a later epoch of the lock store.
 * The refused operation has changed nothing.
 *
 * <p>As a rule the caller has lost the lock: roll back, discard the results, and acquire again. But if the lock store lost its
 * data and its tokens fell back below the floor, the caller holds the lock, there is no later holder, and acquiring again does
 * not help: every holder is refused until the tokens are {@linkplain LockClient#raiseTokens raised} or a new
 * {@linkplain NamedToken epoch} begins. See "When the lock store lost its data" in {@code docs/safety.md}.
 */
public final class StaleTokenException extends LockException {
    private static final long serialVersionUID = 1L;

    /** The lock of the token that was refused. */
    private final String lockName;

    /** Its epoch. */
    private final int epoch;

    /** Its number. */
    private final long number;

    /** The epoch of the highest token that the resource has seen. */
    private final int floorEpoch;

    /** The highest number that the resource has seen in that epoch. */
    private final long floor;

    /**
     * Creates an exception.
     *
     * @param token the token that was refused
     * @param floorEpoch the epoch of the highest token that the resource has seen
     * @param floor the highest number that the resource has seen in that epoch
     */
    public StaleTokenException(NamedToken token, int floorEpoch, long floor) {
        super(message(token, floorEpoch, floor));
        this.lockName = token.lockName();
        this.epoch = token.epoch();
        this.number = token.token().value();
        this.floorEpoch = floorEpoch;
        this.floor = floor;
    }

    private static String message(NamedToken token, int floorEpoch, long floor) {
        Objects.requireNonNull(token, "token");
        String stale = "Token " + token.token() + " of the lock '" + token.lockName() + "' is ";
        if (token.epoch() < floorEpoch) {
            return stale + "from epoch " + token.epoch() + ", before the lock store lost its data: the resource has"
                    + " seen epoch " + floorEpoch;
        }
        return stale + "stale: the resource has seen token " + floor
                + ". A later holder was there, or the lock store lost its data and its tokens fell back";
    }

    /**
     * The token that was refused.
     *
     * @return the token
     */
    public NamedToken token() {
        return new NamedToken(lockName, epoch, new FencingToken(number));
    }

    /**
     * The epoch of the highest token that the resource has seen.
     *
     * @return the epoch
     */
    public int floorEpoch() {
        return floorEpoch;
    }

    /**
     * The highest number that the resource has seen in {@link #floorEpoch()}.
     *
     * @return the number
     */
    public long floor() {
        return floor;
    }
}
