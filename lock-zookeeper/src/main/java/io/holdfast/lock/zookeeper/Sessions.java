package io.holdfast.lock.zookeeper;

import io.holdfast.lock.LockStoreException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.curator.CuratorZookeeperClient;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.imps.CuratorFrameworkState;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.framework.state.ConnectionStateListener;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;

/** Gives Curator's present session. Curator connects again after a failure, and begins a new session after an expiry. */
final class Sessions implements ConnectionStateListener, AutoCloseable {

    private static final Duration LOOK_AGAIN = Duration.ofMillis(100);

    private final CuratorFramework curator;
    private final boolean owned;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final ConnectionDiagnosis diagnosis = new ConnectionDiagnosis();

    /** Open until the state of the connection changes. */
    private volatile CountDownLatch change = new CountDownLatch(1);

    /** Once there was a session the address is right, and a diagnosis would only hold up renewals. */
    private volatile boolean hadSession;

    /** The one that was given last. */
    private volatile @Nullable Session latest;

    /**
     * Creates the source of sessions.
     *
     * @param curator started
     * @param owned whether the client is closed with this
     */
    Sessions(CuratorFramework curator, boolean owned) {
        this.curator = curator;
        this.owned = owned;
        curator.getConnectionStateListenable().addListener(this);
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
        return connected(operation + " of lock '" + lockName + "'");
    }

    /** As {@link #connected(String, String)}, for a call for several locks. */
    Session connected(String call) {
        String what = "ZooKeeper: " + call + " failed: ";
        Elapsed wait = new Elapsed();
        while (true) {
            CountDownLatch next = change;
            Session session = present(what);
            if (!session.isOver()) {
                return session;
            }
            if (!wait.isLessThan(session.connectTimeout())) {
                throw new LockStoreException(what + "the session has ended, and there was no other one within "
                        + session.connectTimeout().toMillis() + " ms");
            }
            // Curator replaces the client at once, but a watch that reports the end may come first. A reset of the
            // client is no change of state, so this also looks again now and then.
            UninterruptibleWait.run(() -> next.await(LOOK_AGAIN.toNanos(), TimeUnit.NANOSECONDS));
        }
    }

    private Session present(String what) {
        requireOpen(what);
        if (curator.getState() != CuratorFrameworkState.STARTED) {
            throw new LockStoreException(what + "the CuratorFramework is " + curator.getState() + ", and not STARTED");
        }
        CuratorZookeeperClient client = curator.getZookeeperClient();
        try {
            if (!client.isConnected() && !UninterruptibleWait.run(client::blockUntilConnectedOrTimedOut)) {
                throw notConnected(what, client);
            }
            // The provider may have been closed during the wait.
            requireOpen(what);
            Session session = of(client.getZooKeeper(), Duration.ofMillis(client.getConnectionTimeoutMs()));
            hadSession = true;
            return session;
        } catch (LockStoreException notConnected) {
            throw notConnected;
        } catch (Exception failure) {
            // Curator declares no more than this.
            throw new LockStoreException(what + failure, failure);
        }
    }

    /** One for all claims, as each of them keeps it. */
    private Session of(ZooKeeper client, Duration connectTimeout) {
        Session present = latest;
        if (present == null || !present.isOf(client, connectTimeout)) {
            present = new Session(client, connectTimeout);
            latest = present;
        }
        return present;
    }

    private LockStoreException notConnected(String what, CuratorZookeeperClient client) {
        String servers = client.getCurrentConnectionString();
        String message = what + "not connected to " + servers + " within " + client.getConnectionTimeoutMs() + " ms";
        return hadSession ? new LockStoreException(message) : diagnosis.failure(message, servers);
    }

    private void requireOpen(String what) {
        if (closed.get()) {
            throw new LockStoreException(what + "the provider is closed");
        }
    }

    @Override
    public void stateChanged(CuratorFramework client, ConnectionState state) {
        CountDownLatch before = change;
        change = new CountDownLatch(1);
        before.countDown();
    }

    /** Closes an owned client, and with it the session and all its nodes. The session of a given client lives on. */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        curator.getConnectionStateListenable().removeListener(this);
        if (owned) {
            closeKeepingInterrupt();
        }
    }

    /** The library ends its waits with an interrupt of the caller, and drops it. */
    private void closeKeepingInterrupt() {
        boolean interrupted = Thread.currentThread().isInterrupted();
        try {
            curator.close();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
