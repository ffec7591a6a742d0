package io.holdfast.lock.tck;

/** The machine was too slow to tell whether a rule holds: the test is repeated, and fails in the end, but no rule is known to be broken. */
final class InconclusiveError extends AssertionError {
    private static final long serialVersionUID = 1L;

    InconclusiveError(String message) {
        super(message);
    }
}
