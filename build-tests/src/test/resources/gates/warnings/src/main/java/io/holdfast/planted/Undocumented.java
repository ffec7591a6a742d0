package io.holdfast.planted;

/** Says nothing of its method. */
public final class Undocumented {

    private Undocumented() {}

    public static int one() {
        return 1;
    }
}
