package io.holdfast.examples.backends;

/** Locks in the Redis master that sentinels name. */
public final class OnRedisSentinel {

    private OnRedisSentinel() {}

    /**
     * Runs the program.
     *
     * @param args the URI of the store, if it is not named by a sentinel on this machine, and properties as {@code name=value}
     * @throws InterruptedException if the thread was interrupted while it waited for the lock
     */
    public static void main(String[] args) throws InterruptedException {
        NightlyReport.run("redis-sentinel://localhost/mymaster", args);
    }
}
