package io.holdfast.lock.tck;

/** A breach that no stall of the machine can explain: two claims in force at once, or a grant before its time. */
final class CertainError extends AssertionError {
    private static final long serialVersionUID = 1L;

    CertainError(String message) {
        super(message);
    }
}
