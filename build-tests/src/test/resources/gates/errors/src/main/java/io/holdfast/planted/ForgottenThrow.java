package io.holdfast.planted;

final class ForgottenThrow {

    private ForgottenThrow() {}

    static void refuse() {
        new IllegalStateException("planted");
    }
}
