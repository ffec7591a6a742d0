package io.holdfast.lock.zookeeper;

import io.holdfast.lock.zookeeper.OwnNodes.Place;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.imps.CuratorFrameworkState;

/**
 * The nodes that the claims of a provider have, or may have, in the ensemble. Thread-safe.
 *
 * <p>They live as long as the session. If that is the application's, it goes on when the provider is closed, and a node that could
 * not be deleted before would block the lock for as long as the application runs. So Curator deletes it, as soon as it can. The same
 * goes for a node of a session that the client has given up, which the server may keep for a while.
 */
final class ClaimNodes implements AutoCloseable {

    private static final Logger LOG = System.getLogger(ClaimNodes.class.getPackageName());

    private final CuratorFramework curator;
    private final Set<OwnNodes> standing = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * Creates the list of a provider.
     *
     * @param curator what deletes nodes when no claim does any more
     */
    ClaimNodes(CuratorFramework curator) {
        this.curator = curator;
    }

    /** Takes note of nodes before one is made; returns whether it may be made, which nothing may be any more after the close. */
    boolean add(OwnNodes nodes) {
        standing.add(nodes);
        // In this order: what the close does not find in the list finds the close.
        if (closed.get()) {
            standing.remove(nodes);
            return false;
        }
        return true;
    }

    /**
     * Takes away what was made when the close had looked already; to be asked when a node was made, or may have been.
     *
     * @return whether it was closed, and so the node is not to be used
     */
    boolean takeIfClosed(OwnNodes nodes) {
        if (!closed.get()) {
            return false;
        }
        take(nodes);
        return true;
    }

    void remove(OwnNodes nodes) {
        standing.remove(nodes);
    }

    /** How many claims have nodes. */
    int size() {
        return standing.size();
    }

    private void take(OwnNodes nodes) {
        nodes.place().ifPresent(place -> delete(place.path()));
        nodes.strays().forEach(stray -> StraySearch.begin(curator, nodes.lock(), stray, this::delete));
    }

    /**
     * Has the node of a claim deleted that was told of its loss. A session that goes on deletes it itself: Curator, asked at the
     * moment of a reconnect, may believe that there is no connection, and begin another session.
     */
    void discard(Place lost) {
        if (curator.getState() == CuratorFrameworkState.STARTED
                && !lost.session().isOver()) {
            lost.session().discard(lost.path(), () -> delete(lost.path()));
        } else {
            delete(lost.path());
        }
    }

    /**
     * Has Curator delete a node in the background, for as long as that takes and the client is open. Returns at once and throws
     * nothing: whoever calls has something to tell that matters more.
     */
    void delete(String path) {
        if (curator.getState() != CuratorFrameworkState.STARTED) {
            // With the client goes its session, and with that the node.
            return;
        }
        try {
            curator.usingNamespace(null).delete().guaranteed().inBackground().forPath(path);
        } catch (Exception failure) {
            // Curator declares no more than this.
            LOG.log(Level.WARNING, "ZooKeeper: the bid " + path + " could not be withdrawn", failure);
        }
    }

    /** Has all nodes deleted. If the client is closed as well they go with its session. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            standing.forEach(this::take);
        }
    }
}
