package io.holdfast.lock.zookeeper;

import io.holdfast.lock.zookeeper.OwnNodes.ClaimNode;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.CuratorEvent;
import org.apache.curator.framework.api.CuratorEventType;
import org.apache.curator.framework.api.CuratorListener;
import org.apache.curator.framework.imps.CuratorFrameworkState;
import org.apache.curator.framework.listen.Listenable;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.framework.state.ConnectionStateListener;

/**
 * Reports to granted claims that their session has ended, or has come back with a shorter time-out than promised. Thread-safe.
 *
 * <p>A lost connection ({@link ConnectionState#SUSPENDED}) is no loss: the session lives on for its time-out, and the engine
 * knows the deadline of each claim.
 */
final class SessionLosses implements ConnectionStateListener, CuratorListener, AutoCloseable {

    private final Sessions sessions;

    /**
     * With the nodes they were granted with: a claim may have a node in the next session before the end of the first is reported.
     */
    private final ConcurrentHashMap<ZooKeeperClaim, ClaimNode> granted = new ConcurrentHashMap<>();

    SessionLosses(Sessions sessions) {
        this.sessions = sessions;
        sessions.curator().getConnectionStateListenable().addListener(this);
        events().ifPresent(events -> events.addListener(this));
    }

    /** Empty for a client from {@code usingNamespace}, which has no events. */
    private Optional<Listenable<CuratorListener>> events() {
        try {
            return Optional.of(sessions.curator().getCuratorListenable());
        } catch (UnsupportedOperationException namespaced) {
            return Optional.empty();
        }
    }

    /**
     * Registers a granted claim. If its session has ended or changed since the grant was answered, or if the client is closing,
     * that is reported here: no event follows. A client that closes leaves the state STARTED before it sends its event, so one of
     * the two sees the claim.
     */
    void add(ZooKeeperClaim claim, ClaimNode node) {
        granted.put(claim, node);
        if (sessions.curator().getState() != CuratorFrameworkState.STARTED) {
            report(claim, node);
        } else {
            reportIfOverOrShorter(claim, node);
        }
    }

    void remove(ZooKeeperClaim claim) {
        granted.remove(claim);
    }

    /** Curator calls this late and on another thread. Claims that were granted in the next session by then are not lost. */
    @Override
    public void stateChanged(CuratorFramework curator, ConnectionState state) {
        granted.forEach(this::reportIfOverOrShorter);
    }

    /**
     * Reports losses before they happen: all of them when the application closes its client, and those of a session that comes
     * back with a shorter time-out. The client's own thread sends the latter event before any answer over the new connection,
     * sooner than Curator's. The end of a session is left to {@link #stateChanged}, which comes when the next session has begun.
     */
    @Override
    public void eventReceived(CuratorFramework curator, CuratorEvent event) {
        if (event.getType() == CuratorEventType.CLOSING) {
            granted.forEach(this::report);
        } else if (event.getType() == CuratorEventType.WATCHED) {
            granted.forEach(this::reportIfShorter);
        }
    }

    private void reportIfOverOrShorter(ZooKeeperClaim claim, ClaimNode node) {
        if (node.session().isOver()) {
            report(claim, node);
        } else {
            reportIfShorter(claim, node);
        }
    }

    private void reportIfShorter(ZooKeeperClaim claim, ClaimNode node) {
        if (!node.session().isOver() && !node.session().keeps(claim.promised())) {
            report(claim, node);
        }
    }

    private void report(ZooKeeperClaim claim, ClaimNode node) {
        if (granted.remove(claim, node)) {
            claim.reportSessionLoss(node);
        }
    }

    /** How many claims are registered. */
    int size() {
        return granted.size();
    }

    @Override
    public void close() {
        sessions.curator().getConnectionStateListenable().removeListener(this);
        events().ifPresent(events -> events.removeListener(this));
    }
}
