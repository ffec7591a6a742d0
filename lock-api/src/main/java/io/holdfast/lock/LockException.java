package io.holdfast.lock;

/** The root of everything that a lock operation throws on its own account. Contention is never an exception. */
public class LockException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception without a cause.
     *
     * @param message what happened, with the value that caused it
     */
    public LockException(String message) {
        super(message);
    }

    /**
     * Creates an exception with a cause.
     *
     * @param message what happened, with the value that caused it
     * @param cause what brought it about
     */
    public LockException(String message, Throwable cause) {
        super(message, cause);
    }
}
