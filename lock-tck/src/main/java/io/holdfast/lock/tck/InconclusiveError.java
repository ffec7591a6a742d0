package io.holdfast.lock.tck;

/** The machine was too slow to tell whether a rule holds: neither a pass nor a violation, and never a silent one. */
final class InconclusiveError extends AssertionError {
    private static final long serialVersionUID = 1L;

    InconclusiveError(String message) {
        super(message);
    }
}
