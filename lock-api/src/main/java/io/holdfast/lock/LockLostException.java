package io.holdfast.lock;

/**
 * The lock was lost before its holder gave it back: work done since then may have overlapped the work of another holder.
 *
 * <p>An acquire throws it if the lock was granted and lost before it could be handed out; then no work was done under it.
 */
public final class LockLostException extends LockException {
    private static final long serialVersionUID = 1L;

    /** Why it was lost. */
    private final LossCause lossCause;

    /**
     * Creates an exception.
     *
     * @param message which lock was lost, and when it was noticed
     * @param lossCause why it was lost
     */
    public LockLostException(String message, LossCause lossCause) {
        super(message);
        this.lossCause = lossCause;
    }

    /**
     * Why the lock was lost.
     *
     * @return the cause
     */
    public LossCause lossCause() {
        return lossCause;
    }
}
