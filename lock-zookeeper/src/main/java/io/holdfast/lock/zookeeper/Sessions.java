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

/** Gives out Curator's present session. Curator connects again after a failure, and begins a new session after an expiry. */
final class Sessions implements ConnectionStateListener, AutoCloseable {

    private static final Duration LOOK_AGAIN = Duration.ofMillis(100);

    private final CuratorFramework curator;
    private final boolean owned;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final ConnectionDiagnosis diagnosis = new ConnectionDiagnosis();

    /** Open until the state of the connection changes. */
    private volatile CountDownLatch change = new CountDownLatch(1);

    /** From then on the address is right, and a search for what is wrong would hold up renewals. */
    private volatile boolean hadSession;

    /**
     * Creates the source of sessions.
     *
     * @param curator started
     * @param owned whether it is closed with this
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

    /** As {@link #connected(String, String)}, for a call that is about more than one lock. */
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
            // Curator replaces the client that has it at once, but whoever is told of the end by a watch may be
            // quicker. It tells no change of state where its client is reset.
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
            // Waiting can take longer than the engine waits for this call when it closes the provider.
            requireOpen(what);
            Session session = new Session(client.getZooKeeper(), Duration.ofMillis(client.getConnectionTimeoutMs()));
            hadSession = true;
            return session;
        } catch (LockStoreException notConnected) {
            throw notConnected;
        } catch (Exception failure) {
            // Curator declares no more than this.
            throw new LockStoreException(what + failure, failure);
        }
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

    /** Ends an own client, and with it the session and all its nodes. A given client's session goes on. */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        curator.getConnectionStateListenable().removeListener(this);
        if (owned) {
            curator.close();
        }
    }
}
