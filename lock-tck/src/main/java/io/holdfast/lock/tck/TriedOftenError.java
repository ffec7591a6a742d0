package io.holdfast.lock.tck;

/** A measurement was tried so often that one more try of its test would show no more. */
final class TriedOftenError extends InconclusiveError {
    private static final long serialVersionUID = 1L;

    TriedOftenError(String message) {
        super(message);
    }
}
