package io.holdfast.lock.jdbc.table;

/**
 * The interrupt that a caller brings along. A driver may swallow it: H2 does, while it waits for a row, and so do pools while
 * they close.
 */
public final class CallersInterrupt {

    private final boolean interrupted = Thread.currentThread().isInterrupted();

    /** At the begin of a call. */
    public CallersInterrupt() {}

    /** At the end of the call: the thread is interrupted if it was before. */
    public void restore() {
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
