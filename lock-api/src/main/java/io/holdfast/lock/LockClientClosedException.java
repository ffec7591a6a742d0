package io.holdfast.lock;

/**
 * The client was closed: before the call, or while the call waited for a lock. Nothing is held.
 */
public final class LockClientClosedException extends LockException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception without a cause.
     *
     * @param message what happened, with the value that caused it
     */
    public LockClientClosedException(String message) {
        super(message);
    }

    /**
     * Creates an exception with a cause.
     *
     * @param message what happened, with the value that caused it
     * @param cause what brought it about
     */
    public LockClientClosedException(String message, Throwable cause) {
        super(message, cause);
    }
}
