package io.holdfast.lock.zookeeper;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.CuratorEvent;
import org.apache.curator.framework.imps.CuratorFrameworkState;
import org.apache.zookeeper.KeeperException.Code;

/**
 * Searches, in Curator's background, for a node whose creation had an unknown outcome and whose claim has ended. Thread-safe.
 */
final class UnconfirmedNodeSearch {

    private static final Logger LOG = System.getLogger(UnconfirmedNodeSearch.class.getPackageName());

    private final CuratorFramework root;
    private final String lock;
    private final UUID id;
    private final Consumer<String> found;

    private UnconfirmedNodeSearch(CuratorFramework root, String lock, UUID id, Consumer<String> found) {
        this.root = root;
        this.lock = lock;
        this.id = id;
        this.found = found;
    }

    /**
     * Begins a search, which is repeated until it succeeds or the client is closed.
     *
     * @param curator the client
     * @param lock the path of the lock, as the connection sees it
     * @param id the id in the node's name
     * @param found takes the path of the node, if there is one
     */
    static void begin(CuratorFramework curator, String lock, UUID id, Consumer<String> found) {
        if (curator.getState() == CuratorFrameworkState.STARTED) {
            new UnconfirmedNodeSearch(curator.usingNamespace(null), lock, id, found).begin();
        }
    }

    /** The server may lag behind the leader and not have the node yet: see {@link OwnNodes#withdrawUnconfirmed}. */
    private void begin() {
        inBackground(() -> root.transaction()
                .inBackground((client, answer) -> proven(answer))
                .forOperations(root.transactionOp().check().forPath(lock)));
    }

    private void proven(CuratorEvent event) {
        RequestResult<Void> answer = answer(event);
        if (answer.isOk()) {
            inBackground(() -> root.getChildren()
                    .inBackground((client, children) -> listed(children))
                    .forPath(lock));
        } else {
            repeatUnlessMissing(answer);
        }
    }

    private void listed(CuratorEvent event) {
        RequestResult<Void> answer = answer(event);
        if (answer.isOk()) {
            ClaimQueue.of(event.getChildren()).nodeWith(id).ifPresent(node -> found.accept(lock + "/" + node));
        } else {
            repeatUnlessMissing(answer);
        }
    }

    private static RequestResult<Void> answer(CuratorEvent event) {
        return new RequestResult<>(Code.get(event.getResultCode()), null);
    }

    /** If the lock's node is missing, there is nothing below it. */
    private void repeatUnlessMissing(RequestResult<Void> answer) {
        if (answer.isMissing() || root.getState() != CuratorFrameworkState.STARTED) {
            return;
        }
        if (answer.isUnknown()) {
            begin();
        } else {
            LOG.log(Level.WARNING, "ZooKeeper: the search for {0} was given up: {1}", this, answer.code());
        }
    }

    private void inBackground(Callable<?> request) {
        try {
            request.call();
        } catch (Exception failure) {
            // Curator declares no more than this.
            LOG.log(Level.WARNING, "ZooKeeper: the search for " + this + " was given up", failure);
        }
    }

    @Override
    public String toString() {
        return "the node with id " + id + " below " + lock;
    }
}
