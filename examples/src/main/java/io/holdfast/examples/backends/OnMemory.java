package io.holdfast.examples.backends;

/** Locks in the memory of one JVM. */
public final class OnMemory {

    private OnMemory() {}

    /**
     * Runs the program.
     *
     * @param args the URI of the store, if it is not the one in this source, and properties as {@code name=value}
     * @throws InterruptedException if the thread was interrupted while it waited for the lock
     */
    public static void main(String[] args) throws InterruptedException {
        NightlyReport.run("memory:example", args);
    }
}
