package io.holdfast.planted;

final class ForgottenThrowInTest {

    private ForgottenThrowInTest() {}

    static void refuse() {
        new IllegalStateException("planted");
    }
}
