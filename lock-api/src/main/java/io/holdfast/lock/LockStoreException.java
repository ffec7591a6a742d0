package io.holdfast.lock;

/**
 * The lock store failed, or did not answer in time: the outcome of the operation is unknown.
 *
 * <p>After a failed acquire nothing is held: should the store have granted the lock after all, the engine gives it back.
 * After a failed renewal the lock is held until its earlier deadline. After a failed release nothing is held either: the
 * engine asks the store again, and the lock is free at the latest when its lease ends.
 */
public final class LockStoreException extends LockException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception without a cause.
     *
     * @param message what happened, with the value that caused it
     */
    public LockStoreException(String message) {
        super(message);
    }

    /**
     * Creates an exception with a cause.
     *
     * @param message what happened, with the value that caused it
     * @param cause what brought it about
     */
    public LockStoreException(String message, Throwable cause) {
        super(message, cause);
    }
}
