package io.holdfast.lock.zookeeper;

import io.holdfast.lock.zookeeper.OwnNodes.ClaimNode;
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
 * <p>A node lives as long as its session. If the session is the application's, it outlives the provider, and a node that could
 * not be deleted would block the lock for as long as the application runs. So Curator deletes what is left, in the background. It
 * does the same with a node of a session that the client has given up, which the server may keep for a while.
 */
final class NodeRegistry implements AutoCloseable {

    private static final Logger LOG = System.getLogger(NodeRegistry.class.getPackageName());

    private final CuratorFramework curator;
    private final Set<OwnNodes> claims = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * Creates the registry of a provider.
     *
     * @param curator deletes the nodes that are left
     */
    NodeRegistry(CuratorFramework curator) {
        this.curator = curator;
    }

    /** Registers a claim before it creates a node. Returns whether it may: not after the close. */
    boolean add(OwnNodes nodes) {
        claims.add(nodes);
        // In this order: what the close does not find registered sees that it was closed.
        if (closed.get()) {
            claims.remove(nodes);
            return false;
        }
        return true;
    }

    /**
     * Deletes what was created while the provider was closed. To be asked after each creation, also one of unknown outcome.
     *
     * @return whether the provider is closed, so that the node must not be used
     */
    boolean deleteIfClosed(OwnNodes nodes) {
        if (!closed.get()) {
            return false;
        }
        deleteAll(nodes);
        return true;
    }

    void remove(OwnNodes nodes) {
        claims.remove(nodes);
    }

    /** How many claims have nodes. */
    int size() {
        return claims.size();
    }

    private void deleteAll(OwnNodes nodes) {
        nodes.current().ifPresent(node -> delete(node.path()));
        nodes.unconfirmed().forEach(id -> UnconfirmedNodeSearch.begin(curator, nodes.lock(), id, this::delete));
    }

    /**
     * Deletes the node of a lost claim. A session that goes on deletes it itself: Curator, when asked during a reconnect, may
     * believe that there is no connection and begin another session.
     */
    void discard(ClaimNode lost) {
        if (curator.getState() == CuratorFrameworkState.STARTED
                && !lost.session().isOver()) {
            lost.session().discard(lost.path(), () -> delete(lost.path()));
        } else {
            delete(lost.path());
        }
    }

    /**
     * Has Curator delete a node in the background, and repeat that until it succeeds or the client is closed. Returns at once and
     * throws nothing: the caller still has to report a loss.
     */
    void delete(String path) {
        if (curator.getState() != CuratorFrameworkState.STARTED) {
            // The client's session ends with it, and the node with the session.
            return;
        }
        try {
            curator.usingNamespace(null).delete().guaranteed().inBackground().forPath(path);
        } catch (Exception failure) {
            // Curator declares no more than this.
            LOG.log(Level.WARNING, "ZooKeeper: the node " + path + " could not be deleted", failure);
        }
    }

    /** Deletes all nodes. If the client is closed as well, they go with its session. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            claims.forEach(this::deleteAll);
        }
    }
}
