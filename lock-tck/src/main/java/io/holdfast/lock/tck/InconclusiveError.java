package io.holdfast.lock.tck;

/**
 * The machine was too slow to tell whether a rule holds: the test is repeated, and fails in the end, but no rule is known to be
 * broken.
 */
final class InconclusiveError extends AssertionError {
    private static final long serialVersionUID = 1L;

    private static final String TOO_SLOW = "the machine or the store was too slow to tell: ";

    InconclusiveError(String message) {
        super(message);
    }

    InconclusiveError(String message, Throwable seen) {
        super(message, seen);
    }

    /** What a test finds after that shows nothing. */
    static InconclusiveError tooSlow(String what) {
        return new InconclusiveError(TOO_SLOW + what);
    }

    /** The same of a failure. */
    static InconclusiveError tooSlow(String what, Throwable seen) {
        return new InconclusiveError(TOO_SLOW + what + seen.getMessage(), seen);
    }
}
