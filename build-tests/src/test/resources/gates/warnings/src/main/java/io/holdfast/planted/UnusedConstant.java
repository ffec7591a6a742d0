package io.holdfast.planted;

final class UnusedConstant {

    private static final int NEVER_READ = 1;
}
