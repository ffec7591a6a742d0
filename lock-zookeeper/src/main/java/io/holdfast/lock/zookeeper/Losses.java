package io.holdfast.lock.zookeeper;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.framework.state.ConnectionStateListener;

/**
 * Tells granted claims that their session has ended. Thread-safe.
 *
 * <p>A lost connection ({@link ConnectionState#SUSPENDED}) is no loss: the session goes on for its time-out, and the engine knows the
 * deadline of each claim.
 */
final class Losses implements ConnectionStateListener, AutoCloseable {

    private final Sessions sessions;
    private final Set<ZooKeeperClaim> granted = ConcurrentHashMap.newKeySet();

    Losses(Sessions sessions) {
        this.sessions = sessions;
        sessions.curator().getConnectionStateListenable().addListener(this);
    }

    /** The session may have ended since the grant was answered, which would not be told again. */
    void add(ZooKeeperClaim claim) {
        granted.add(claim);
        tellIfSessionIsOver(claim);
    }

    void remove(ZooKeeperClaim claim) {
        granted.remove(claim);
    }

    /** Curator tells late, and in a thread of its own: what was granted in the next session by then is not lost. */
    @Override
    public void stateChanged(CuratorFramework curator, ConnectionState state) {
        granted.forEach(this::tellIfSessionIsOver);
    }

    private void tellIfSessionIsOver(ZooKeeperClaim claim) {
        if (claim.isSessionOver() && granted.remove(claim)) {
            claim.tellSessionIsOver();
        }
    }

    /** How many claims would be told. */
    int size() {
        return granted.size();
    }

    @Override
    public void close() {
        sessions.curator().getConnectionStateListenable().removeListener(this);
    }
}
