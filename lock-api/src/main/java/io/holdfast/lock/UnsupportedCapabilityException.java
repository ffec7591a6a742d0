package io.holdfast.lock;

/**
 * The lock store cannot do what was asked of it. Nothing was changed. A requirement that is stated in
 * {@link LockOptions} fails with this exception when the lock object is made, before anything is locked.
 */
public final class UnsupportedCapabilityException extends LockException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception without a cause.
     *
     * @param message what happened, with the value that caused it
     */
    public UnsupportedCapabilityException(String message) {
        super(message);
    }

    /**
     * Creates an exception with a cause.
     *
     * @param message what happened, with the value that caused it
     * @param cause what brought it about
     */
    public UnsupportedCapabilityException(String message, Throwable cause) {
        super(message, cause);
    }
}
