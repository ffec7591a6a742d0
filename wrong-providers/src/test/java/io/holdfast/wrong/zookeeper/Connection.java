package io.holdfast.wrong.zookeeper;

import io.holdfast.lock.LockStoreException;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.jspecify.annotations.Nullable;

/** The client of a provider, which is replaced when its session has ended. Thread-safe. */
class Connection implements AutoCloseable {

    /** The time-out of a session. */
    static final Duration SESSION = Duration.ofSeconds(2);

    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final long LOOK_AGAIN_MILLIS = 50;
    private static final int CLOSE_MILLIS = 1_000;

    /** Clients that a fault has left open, and their servers: who runs the tests has to close them in the end. */
    private static final Map<ZooKeeper, String> LEFT_OPEN = new ConcurrentHashMap<>();

    private final String servers;
    private final Duration timeOut;

    /** What to run when the session of a grant has ended, by the claim. */
    private final Map<Object, Grant> grants = new ConcurrentHashMap<>();

    // Both guarded by this.
    private @Nullable ZooKeeper client;
    private boolean closed;

    private record Grant(ZooKeeper client, Runnable lost) {}

    Connection(String servers) {
        this(servers, SESSION);
    }

    Connection(String servers, Duration timeOut) {
        this.servers = servers;
        this.timeOut = timeOut;
    }

    /** The session, once there is a connection. */
    synchronized TextbookSession connected(String call) {
        long deadline = System.nanoTime() + CONNECT.toNanos();
        boolean interrupted = false;
        try {
            while (true) {
                ZooKeeper current = present(call);
                if (current.getState().isConnected()) {
                    return session(current);
                }
                if (System.nanoTime() - deadline >= 0) {
                    throw new LockStoreException("ZooKeeper: " + call + " failed: no connection to " + servers);
                }
                interrupted |= isInterruptedWhileWaiting();
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Whether there is a connection now. */
    synchronized boolean isConnected() {
        ZooKeeper current = client;
        return !closed && current != null && current.getState().isConnected();
    }

    private boolean isInterruptedWhileWaiting() {
        try {
            TimeUnit.MILLISECONDS.timedWait(this, LOOK_AGAIN_MILLIS);
            return false;
        } catch (InterruptedException later) {
            return true;
        }
    }

    private ZooKeeper present(String call) {
        if (closed) {
            throw new LockStoreException("ZooKeeper: " + call + " failed: the provider is closed");
        }
        ZooKeeper current = client;
        if (current == null || !isUsable(current)) {
            current = open();
            client = current;
        }
        return current;
    }

    private ZooKeeper open() {
        try {
            return new ZooKeeper(servers, Math.toIntExact(timeOut.toMillis()), this::changed, config());
        } catch (IOException failure) {
            throw new LockStoreException("ZooKeeper: no client for " + servers, failure);
        }
    }

    /** Whether a client may be asked further, now or once it is connected. */
    boolean isUsable(ZooKeeper present) {
        return present.getState().isAlive();
    }

    ZKClientConfig config() {
        return new ZKClientConfig();
    }

    TextbookSession session(ZooKeeper connected) {
        return new TextbookSession(connected);
    }

    /** Called on the thread of the client when its connection or its session has changed. */
    void changed(WatchedEvent event) {
        if (event.getState() == KeeperState.Expired) {
            reportEnds();
        }
        synchronized (this) {
            notifyAll();
        }
    }

    private void reportEnds() {
        grants.forEach((claim, grant) -> {
            if (!grant.client().getState().isAlive()) {
                report(claim, grant);
            }
        });
    }

    void reportAll() {
        grants.forEach(this::report);
    }

    private void report(Object claim, Grant grant) {
        if (grants.remove(claim, grant)) {
            grant.lost().run();
        }
    }

    /** Has a claim told when the session ends. */
    void granted(Object claim, TextbookSession session, Runnable lost) {
        grants.put(claim, new Grant(session.client, lost));
        reportEnds();
    }

    void ended(Object claim) {
        grants.remove(claim);
    }

    @Override
    public void close() {
        ZooKeeper current;
        synchronized (this) {
            closed = true;
            current = client;
            notifyAll();
        }
        if (current != null) {
            close(current);
        }
    }

    void close(ZooKeeper current) {
        end(current);
    }

    /** For a fault: leaves a client open until {@link #closeLeft}. */
    void leaveOpen(ZooKeeper current) {
        LEFT_OPEN.put(current, servers);
    }

    /** Closes the clients of some servers that a fault has left open. */
    static void closeLeft(String ofServers) {
        LEFT_OPEN.forEach((left, servers) -> {
            if (servers.equals(ofServers) && LEFT_OPEN.remove(left, servers)) {
                end(left);
            }
        });
    }

    private static void end(ZooKeeper current) {
        // The client would clear it.
        boolean interrupted = Thread.interrupted();
        try {
            current.close(CLOSE_MILLIS);
        } catch (InterruptedException later) {
            interrupted = true;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
