package io.holdfast.examples.backends;

/** Locks in ZooKeeper. */
public final class OnZooKeeper {

    private OnZooKeeper() {}

    /**
     * Runs the program.
     *
     * @param args the URI of the store, if it is not a ZooKeeper server on this machine, and properties as {@code name=value}
     * @throws InterruptedException if the thread was interrupted while it waited for the lock
     */
    public static void main(String[] args) throws InterruptedException {
        NightlyReport.run("zookeeper://localhost:2181", args);
    }
}
