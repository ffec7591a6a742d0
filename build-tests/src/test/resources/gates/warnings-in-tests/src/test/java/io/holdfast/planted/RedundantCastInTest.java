package io.holdfast.planted;

final class RedundantCastInTest {

    private RedundantCastInTest() {}

    static int same(int number) {
        return (int) number;
    }
}
