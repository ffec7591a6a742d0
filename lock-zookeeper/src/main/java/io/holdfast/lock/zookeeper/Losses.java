package io.holdfast.lock.zookeeper;

import io.holdfast.lock.zookeeper.OwnNodes.Place;
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
 * Tells granted claims that their session has ended. Thread-safe.
 *
 * <p>A lost connection ({@link ConnectionState#SUSPENDED}) is no loss: the session goes on for its time-out, and the engine knows the
 * deadline of each claim.
 */
final class Losses implements ConnectionStateListener, CuratorListener, AutoCloseable {

    private final Sessions sessions;

    /** With their places: a claim may have another one, in the next session, by the time that it is told of the end of the first. */
    private final ConcurrentHashMap<ZooKeeperClaim, Place> granted = new ConcurrentHashMap<>();

    Losses(Sessions sessions) {
        this.sessions = sessions;
        sessions.curator().getConnectionStateListenable().addListener(this);
        events().ifPresent(events -> events.addListener(this));
    }

    /** Curator has none for a client that {@code usingNamespace} gave. */
    private Optional<Listenable<CuratorListener>> events() {
        try {
            return Optional.of(sessions.curator().getCuratorListenable());
        } catch (UnsupportedOperationException namespaced) {
            return Optional.empty();
        }
    }

    /**
     * Takes in a granted claim. Its session may have ended since the grant was answered, and the client may be closing, which
     * ends it in a moment: neither would be told again. The client is no longer started before it tells that it closes, so a claim
     * is found there or here.
     */
    void add(ZooKeeperClaim claim, Place place) {
        granted.put(claim, place);
        if (sessions.curator().getState() != CuratorFrameworkState.STARTED) {
            tell(claim, place);
        } else {
            tellIfSessionIsOver(claim, place);
        }
    }

    void remove(ZooKeeperClaim claim) {
        granted.remove(claim);
    }

    /** Curator tells late, and in a thread of its own: what was granted in the next session by then is not lost. */
    @Override
    public void stateChanged(CuratorFramework curator, ConnectionState state) {
        granted.forEach(this::tellIfSessionIsOver);
    }

    /** An application that closes its client takes the session from whoever holds a lock: they are told before it ends. */
    @Override
    public void eventReceived(CuratorFramework curator, CuratorEvent event) {
        if (event.getType() == CuratorEventType.CLOSING) {
            granted.forEach(this::tell);
        }
    }

    private void tellIfSessionIsOver(ZooKeeperClaim claim, Place place) {
        if (place.session().isOver()) {
            tell(claim, place);
        }
    }

    private void tell(ZooKeeperClaim claim, Place place) {
        if (granted.remove(claim, place)) {
            claim.tellSessionIsOver(place);
        }
    }

    /** How many claims would be told. */
    int size() {
        return granted.size();
    }

    @Override
    public void close() {
        sessions.curator().getConnectionStateListenable().removeListener(this);
        events().ifPresent(events -> events.removeListener(this));
    }
}
