package io.holdfast.planted;

final class RedundantCast {

    private RedundantCast() {}

    static int same(int number) {
        return (int) number;
    }
}
