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
 * The search, in Curator's background, for a node whose making had an unknown outcome and that no claim looks for any more.
 * Thread-safe.
 */
final class StraySearch {

    private static final Logger LOG = System.getLogger(StraySearch.class.getPackageName());

    private final CuratorFramework root;
    private final String lock;
    private final UUID stray;
    private final Consumer<String> found;

    private StraySearch(CuratorFramework root, String lock, UUID stray, Consumer<String> found) {
        this.root = root;
        this.lock = lock;
        this.stray = stray;
        this.found = found;
    }

    /**
     * Begins a search; it goes on for as long as it takes and the client is open.
     *
     * @param curator the client
     * @param lock the path of the lock, as the connection sees it
     * @param stray the id in the node's name
     * @param found takes the path of the node, if there is one
     */
    static void begin(CuratorFramework curator, String lock, UUID stray, Consumer<String> found) {
        if (curator.getState() == CuratorFrameworkState.STARTED) {
            new StraySearch(curator.usingNamespace(null), lock, stray, found).begin();
        }
    }

    /** The server may be behind the leader, and not have the node yet: see {@link OwnNodes#withdrawStrays}. */
    private void begin() {
        inBackground(() -> root.transaction()
                .inBackground((client, answer) -> proven(answer))
                .forOperations(root.transactionOp().check().forPath(lock)));
    }

    private void proven(CuratorEvent event) {
        RequestResult<Void> answer = answer(event);
        if (answer.isOk()) {
            inBackground(() -> root.getChildren()
                    .inBackground((client, line) -> looked(line))
                    .forPath(lock));
        } else {
            againUnlessMissing(answer);
        }
    }

    private void looked(CuratorEvent event) {
        RequestResult<Void> answer = answer(event);
        if (answer.isOk()) {
            ClaimQueue.of(event.getChildren()).made(stray).ifPresent(node -> found.accept(lock + "/" + node));
        } else {
            againUnlessMissing(answer);
        }
    }

    private static RequestResult<Void> answer(CuratorEvent event) {
        return new RequestResult<>(Code.get(event.getResultCode()), null);
    }

    /** Without the lock's node there is nothing below it. */
    private void againUnlessMissing(RequestResult<Void> answer) {
        if (answer.isMissing() || root.getState() != CuratorFrameworkState.STARTED) {
            return;
        }
        if (answer.isUnknown()) {
            begin();
        } else {
            LOG.log(
                    Level.WARNING,
                    "ZooKeeper: {0} was not found, if it was made, and is given up: {1}",
                    this,
                    answer.code());
        }
    }

    private void inBackground(Callable<?> request) {
        try {
            request.call();
        } catch (Exception failure) {
            // Curator declares no more than this.
            LOG.log(Level.WARNING, "ZooKeeper: " + this + " was not found, if it was made, and is given up", failure);
        }
    }

    @Override
    public String toString() {
        return "the bid " + stray + " below " + lock;
    }
}
