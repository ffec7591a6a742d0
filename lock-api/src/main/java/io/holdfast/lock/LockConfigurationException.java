package io.holdfast.lock;

/**
 * A URI, an option or a name is not acceptable. The message names the value and what is allowed; it never contains a
 * password.
 */
public final class LockConfigurationException extends LockException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception without a cause.
     *
     * @param message what happened, with the value that caused it
     */
    public LockConfigurationException(String message) {
        super(message);
    }

    /**
     * Creates an exception with a cause.
     *
     * @param message what happened, with the value that caused it
     * @param cause what brought it about
     */
    public LockConfigurationException(String message, Throwable cause) {
        super(message, cause);
    }
}
