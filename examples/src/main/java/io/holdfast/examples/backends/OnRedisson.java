package io.holdfast.examples.backends;

/** Locks in Redis, by way of Redisson: they exclude users of its {@code RLock}. */
public final class OnRedisson {

    private OnRedisson() {}

    /**
     * Runs the program.
     *
     * @param args the URI of the store, if it is not a Redis server on this machine, and properties as {@code name=value}
     * @throws InterruptedException if the thread was interrupted while it waited for the lock
     */
    public static void main(String[] args) throws InterruptedException {
        NightlyReport.run("redisson://localhost:6379", args);
    }
}
