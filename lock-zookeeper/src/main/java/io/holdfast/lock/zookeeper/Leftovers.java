package io.holdfast.lock.zookeeper;

import io.holdfast.lock.LockStoreException;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.CuratorEvent;
import org.apache.curator.framework.imps.CuratorFrameworkState;
import org.apache.zookeeper.KeeperException.Code;

/**
 * The nodes that the claims of a provider have, or may have, in the ensemble. Thread-safe.
 *
 * <p>They live as long as the session. If that is the application's, it goes on when the provider is closed, and a node that could
 * not be deleted before would block the lock for as long as the application runs. So Curator deletes it, as soon as it can.
 */
final class Leftovers {

    private final Set<OwnNodes> standing = ConcurrentHashMap.newKeySet();

    void add(OwnNodes nodes) {
        standing.add(nodes);
    }

    void remove(OwnNodes nodes) {
        standing.remove(nodes);
    }

    /** How many claims have nodes. */
    int size() {
        return standing.size();
    }

    /** Has a client delete them in the background, for as long as that takes and the client is open. */
    void handTo(CuratorFramework client) {
        if (standing.isEmpty() || client.getState() != CuratorFrameworkState.STARTED) {
            return;
        }
        CuratorFramework root = client.usingNamespace(null);
        for (OwnNodes nodes : standing) {
            nodes.place().ifPresent(place -> delete(root, place.path()));
            nodes.strays().forEach(stray -> new Search(root, nodes.lock(), stray).begin());
        }
    }

    private static void delete(CuratorFramework root, String path) {
        try {
            root.delete().guaranteed().inBackground().forPath(path);
        } catch (Exception failure) {
            // Curator declares no more than this.
            throw new LockStoreException("ZooKeeper: the bid " + path + " could not be withdrawn: " + failure, failure);
        }
    }

    /**
     * The search for a node whose making had an unknown outcome.
     *
     * @param root a client without a namespace
     * @param lock the path of the lock
     * @param stray the id in the node's name
     */
    private record Search(CuratorFramework root, String lock, UUID stray) {

        /** The server may be behind the leader, and not have the node yet: so it is brought up to it first. */
        void begin() {
            inBackground(() -> root.sync().inBackground(this::caughtUp).forPath(lock));
        }

        private void caughtUp(CuratorFramework client, CuratorEvent answer) {
            if (Code.get(answer.getResultCode()) == Code.OK) {
                inBackground(() -> root.getChildren().inBackground(this::found).forPath(lock));
            } else {
                again(answer);
            }
        }

        private void again(CuratorEvent answer) {
            if (Code.get(answer.getResultCode()) == Code.CONNECTIONLOSS
                    && root.getState() == CuratorFrameworkState.STARTED) {
                begin();
            }
        }

        private void inBackground(Callable<?> request) {
            try {
                request.call();
            } catch (Exception failure) {
                // Curator declares no more than this.
                throw new LockStoreException(
                        "ZooKeeper: a bid below " + lock + " could not be withdrawn: " + failure, failure);
            }
        }

        void found(CuratorFramework client, CuratorEvent answer) {
            if (Code.get(answer.getResultCode()) == Code.OK) {
                Line.of(answer.getChildren()).made(stray).ifPresent(node -> delete(root, lock + "/" + node));
            } else {
                again(answer);
            }
        }
    }
}
