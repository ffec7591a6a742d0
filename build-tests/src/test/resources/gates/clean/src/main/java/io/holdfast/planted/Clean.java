package io.holdfast.planted;

/** Breaks nothing. */
public final class Clean {

    private Clean() {}

    /**
     * Adds one.
     *
     * @param number a number
     * @return the next number
     */
    public static int next(int number) {
        return number + 1;
    }
}
