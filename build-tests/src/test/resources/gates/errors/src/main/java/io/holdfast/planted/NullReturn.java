package io.holdfast.planted;

final class NullReturn {

    private NullReturn() {}

    static String nothing() {
        return null;
    }
}
