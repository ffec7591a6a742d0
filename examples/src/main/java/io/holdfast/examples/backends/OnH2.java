package io.holdfast.examples.backends;

/** Locks in H2, whose table {@code holdfast-h2.sql} makes. */
public final class OnH2 {

    private OnH2() {}

    /**
     * Runs the program.
     *
     * @param args the URI of the store, if it is not a file in the working directory, and properties as {@code name=value}
     * @throws InterruptedException if the thread was interrupted while it waited for the lock
     */
    public static void main(String[] args) throws InterruptedException {
        NightlyReport.run("jdbc:h2:./example", args);
    }
}
