package io.holdfast.examples.backends;

/** Locks on a majority of independent Redis servers. */
public final class OnRedlock {

    private OnRedlock() {}

    /**
     * Runs the program.
     *
     * @param args the URI of the store, if it is not three servers on this machine, and properties as {@code name=value}
     * @throws InterruptedException if the thread was interrupted while it waited for the lock
     */
    public static void main(String[] args) throws InterruptedException {
        NightlyReport.run("redlock://localhost:6379,localhost:6380,localhost:6381", args);
    }
}
