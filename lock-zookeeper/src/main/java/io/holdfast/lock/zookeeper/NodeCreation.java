package io.holdfast.lock.zookeeper;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.zookeeper.Session.CreatedNode;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.ACL;

/** Creates the nodes of claims, and the nodes above them where these are missing. Thread-safe. */
final class NodeCreation {

    private static final byte[] NOTHING = {};

    /** The server may remove an empty lock node at any time, also between its creation and that of the first claim's node. */
    private static final int TRIES = 5;

    private final List<ACL> acl;

    NodeCreation(List<ACL> acl) {
        this.acl = List.copyOf(acl);
    }

    /**
     * The answers to the creation of a claim's node.
     *
     * @param created the answer to the creation
     * @param children the children of the lock's node, read right after it
     */
    record Answers(RequestResult<CreatedNode> created, RequestResult<List<String>> children) {

        /** The node of the claim, or the failure to create it below that of the lock. */
        CreatedNode node(String lock, String lockName) {
            if (created.isMissing()) {
                throw new LockStoreException(
                        "ZooKeeper: " + OwnNodes.ACQUIRE + " of lock '" + lockName + "' failed: the node " + lock
                                + " could not be made, as there is none above it; the chroot in the client's connect string,"
                                + " if there is one, may not exist",
                        KeeperException.create(created.code(), lock));
            }
            return created.orThrow(OwnNodes.ACQUIRE, lockName);
        }
    }

    /** Creates the node of a claim and reads the queue, in one round trip if the lock's node exists. */
    Answers create(Session session, String lock, UUID id, ClaimRequest request) {
        byte[] data = HolderRecord.of(request);
        List<Parent> parents = List.of();
        for (int tries = 1; ; tries++) {
            Reply<CreatedNode> reply =
                    session.create(lock + "/" + ClaimQueue.newNode(id), data, acl, CreateMode.EPHEMERAL_SEQUENTIAL);
            Reply<List<String>> children = session.children(lock);
            RequestResult<CreatedNode> created = reply.await();
            if (!created.isMissing()) {
                return new Answers(created, children.await());
            }
            parents.forEach(parent -> parent.requireExists(request.name()));
            if (tries == TRIES) {
                return new Answers(created, children.await());
            }
            parents = createParents(session, lock);
        }
    }

    /** As containers: the server removes them some time after they became empty. */
    private List<Parent> createParents(Session session, String lock) {
        List<Parent> parents = new ArrayList<>();
        for (String path : LockPaths.withParents(lock)) {
            parents.add(new Parent(path, session.create(path, NOTHING, acl, CreateMode.CONTAINER)));
        }
        return parents;
    }

    /** A node above the claims that is being created. */
    private record Parent(String path, Reply<CreatedNode> reply) {

        /** If the node above was removed in the meantime, the next try creates this one. */
        void requireExists(String lockName) {
            RequestResult<CreatedNode> answer = reply.await();
            if (!answer.isOk() && answer.code() != Code.NODEEXISTS && !answer.isMissing()) {
                throw answer.failure("making " + path + " for an acquire", lockName);
            }
        }
    }
}
