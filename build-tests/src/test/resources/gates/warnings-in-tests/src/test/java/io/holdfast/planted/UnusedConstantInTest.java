package io.holdfast.planted;

final class UnusedConstantInTest {

    private static final int NEVER_READ = 1;
}
