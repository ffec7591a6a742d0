package io.holdfast.examples.demo;

/** The demo could not be carried out, so nothing is known about its claims. */
final class StagingException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StagingException(String message) {
        super(message);
    }

    StagingException(String message, Throwable cause) {
        super(message, cause);
    }
}
