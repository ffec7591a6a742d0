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
 * Tells granted claims that their session has ended, or has come back with a shorter time-out than they count on. Thread-safe.
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
     * Takes in a granted claim. Its session may have ended or changed since the grant was answered, and the client may be closing, which
     * ends it in a moment: neither would be told again. The client is no longer started before it tells that it closes, so a claim
     * is found there or here.
     */
    void add(ZooKeeperClaim claim, Place place) {
        granted.put(claim, place);
        if (sessions.curator().getState() != CuratorFrameworkState.STARTED) {
            tell(claim, place);
        } else {
            tellIfSessionFails(claim, place);
        }
    }

    void remove(ZooKeeperClaim claim) {
        granted.remove(claim);
    }

    /** Curator tells late, and in a thread of its own: what was granted in the next session by then is not lost. */
    @Override
    public void stateChanged(CuratorFramework curator, ConnectionState state) {
        granted.forEach(this::tellIfSessionFails);
    }

    /**
     * An application that closes its client takes the session from whoever holds a lock: they are told before it ends.
     *
     * <p>And a session that comes back with a shorter time-out may end before they believe it does: of that the client's own thread
     * tells sooner than Curator's, before any answer that came over the new connection. The news of an ended session is left to Curator's,
     * which comes when the next one has begun.
     */
    @Override
    public void eventReceived(CuratorFramework curator, CuratorEvent event) {
        if (event.getType() == CuratorEventType.CLOSING) {
            granted.forEach(this::tell);
        } else if (event.getType() == CuratorEventType.WATCHED) {
            granted.forEach(this::tellIfPromiseIsBroken);
        }
    }

    private void tellIfSessionFails(ZooKeeperClaim claim, Place place) {
        if (place.session().isOver()) {
            tell(claim, place);
        } else {
            tellIfPromiseIsBroken(claim, place);
        }
    }

    private void tellIfPromiseIsBroken(ZooKeeperClaim claim, Place place) {
        if (!place.session().isOver() && !place.session().keeps(claim.promised())) {
            tell(claim, place);
        }
    }

    private void tell(ZooKeeperClaim claim, Place place) {
        if (granted.remove(claim, place)) {
            claim.tellSessionFails(place);
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
