package io.holdfast.examples.backends;

/** Locks in Redis. */
public final class OnRedis {

    private OnRedis() {}

    /**
     * Runs the program.
     *
     * @param args the URI of the store, if it is not a Redis server on this machine, and properties as {@code name=value}
     * @throws InterruptedException if the thread was interrupted while it waited for the lock
     */
    public static void main(String[] args) throws InterruptedException {
        NightlyReport.run("redis://localhost:6379", args);
    }
}
