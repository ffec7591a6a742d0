package io.holdfast.examples.backends;

/** Locks in a Redis cluster. */
public final class OnRedisCluster {

    private OnRedisCluster() {}

    /**
     * Runs the program.
     *
     * @param args the URI of the store, if no node of the cluster is on this machine, and properties as {@code name=value}
     * @throws InterruptedException if the thread was interrupted while it waited for the lock
     */
    public static void main(String[] args) throws InterruptedException {
        NightlyReport.run("redis-cluster://localhost:6379", args);
    }
}
