package io.holdfast.lock.zookeeper;

import io.holdfast.lock.LockStoreException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.curator.CuratorZookeeperClient;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.imps.CuratorFrameworkState;

/** Gives out Curator's present session. Curator connects again after a failure, and begins a new session after an expiry. */
final class Sessions implements AutoCloseable {

    private final CuratorFramework curator;
    private final boolean owned;
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * Creates the source of sessions.
     *
     * @param curator started
     * @param owned whether it is closed with this
     */
    Sessions(CuratorFramework curator, boolean owned) {
        this.curator = curator;
        this.owned = owned;
    }

    CuratorFramework curator() {
        return curator;
    }

    /**
     * The session, once there is a connection.
     *
     * @throws LockStoreException if there is none within the client's connection time-out
     */
    Session connected(String operation, String lockName) {
        String what = "ZooKeeper: " + operation + " of lock '" + lockName + "' failed: ";
        if (closed.get()) {
            throw new LockStoreException(what + "the provider is closed");
        }
        if (curator.getState() != CuratorFrameworkState.STARTED) {
            throw new LockStoreException(what + "the CuratorFramework is " + curator.getState() + ", and not STARTED");
        }
        CuratorZookeeperClient client = curator.getZookeeperClient();
        try {
            if (!client.isConnected() && !blockThroughInterrupts(client)) {
                throw new LockStoreException(what + "not connected to " + client.getCurrentConnectionString()
                        + " within " + client.getConnectionTimeoutMs() + " ms");
            }
            return new Session(client.getZooKeeper());
        } catch (LockStoreException notConnected) {
            throw notConnected;
        } catch (Exception failure) {
            // Curator declares no more than this.
            throw new LockStoreException(what + failure, failure);
        }
    }

    /** Waits for a connection. An interrupt is kept for later: it says nothing of the store. */
    private static boolean blockThroughInterrupts(CuratorZookeeperClient client) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return client.blockUntilConnectedOrTimedOut();
                } catch (InterruptedException later) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true) && owned) {
            curator.close();
        }
    }
}
