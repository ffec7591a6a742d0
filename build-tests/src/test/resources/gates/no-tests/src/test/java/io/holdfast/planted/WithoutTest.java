package io.holdfast.planted;

final class WithoutTest {

    private WithoutTest() {}
}
