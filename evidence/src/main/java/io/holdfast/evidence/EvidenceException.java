package io.holdfast.evidence;

/** Why there is no page. The message is for the person who asked for it, and says what to do. */
public final class EvidenceException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    EvidenceException(String message) {
        super(message);
    }
}
