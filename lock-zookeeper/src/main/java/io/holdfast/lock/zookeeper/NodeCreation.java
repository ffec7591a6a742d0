package io.holdfast.lock.zookeeper;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.zookeeper.Session.CountedNode;
import io.holdfast.lock.zookeeper.Session.CreatedNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
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
    private final TokenOffset offset;
    private final UndisturbedLocks undisturbed = new UndisturbedLocks();

    NodeCreation(List<ACL> acl, TokenOffset offset) {
        this.acl = List.copyOf(acl);
        this.offset = offset;
    }

    /**
     * The answers to the creation of a claim's node.
     *
     * @param created the answer to the creation
     * @param offset the offset of the tokens that was written into the node
     * @param queue asked for right after it
     */
    record Answers(RequestResult<NewNode> created, long offset, QueueView.Asked queue) {

        /** Throws if there was no node of the lock to create it below. */
        void requireLock(String lock, String lockName) {
            if (created.isMissing()) {
                throw new LockStoreException(
                        "ZooKeeper: " + OwnNodes.ACQUIRE + " of lock '" + lockName + "' failed: the node " + lock
                                + " could not be made, as there is none above it; the chroot in the client's connect string,"
                                + " if there is one, may not exist",
                        KeeperException.create(created.code(), lock));
            }
        }
    }

    /**
     * The node of a claim.
     *
     * @param path its path
     * @param czxid the transaction that created it
     */
    record NewNode(String path, long czxid) {}

    /** What is to be created for a claim. */
    private static final class Wanted {
        private final String lock;
        private final String node;
        private final byte[] data;
        private final long offset;

        private Wanted(String lock, UUID id, ClaimRequest request, long offset) {
            this.lock = lock;
            this.node = ClaimQueue.newNode(id);
            this.data = HolderRecord.of(request, offset);
            this.offset = offset;
        }
    }

    /** Creates the node of a claim and reads the queue, in one round trip if the lock's node exists. */
    Answers create(Session session, String lock, UUID id, ClaimRequest request) {
        Wanted wanted = new Wanted(lock, id, request, offset.known());
        OptionalInt version = undisturbed.version(lock);
        if (version.isPresent()) {
            Optional<Answers> counted = createSole(session, version.getAsInt(), wanted);
            if (counted.isPresent()) {
                return counted.get();
            }
        }
        return createInQueue(session, wanted, request);
    }

    /** Creates the node by one request, if nobody else has used the lock since; empty if nothing was created. */
    private Optional<Answers> createSole(Session session, int version, Wanted wanted) {
        TokenOffset.Look look = offset.look(session);
        RequestResult<CountedNode> counted = session.createAndCount(wanted.lock, version, wanted.node, wanted.data, acl)
                .await();
        if (!counted.isOk() && !counted.isUnknown()) {
            if (counted.code() == Code.NOAUTH) {
                undisturbed.giveUp();
            }
            undisturbed.forget(wanted.lock);
            return Optional.empty();
        }
        boolean isSole = counted.isOk() && counted.get().parent().getNumChildren() == 1;
        QueueView.Asked queue = isSole
                ? lockName -> QueueView.ofSole(counted.get(), look.offset(lockName))
                : view(session, wanted.lock);
        // The transaction that created the node is the one that wrote the node above it.
        RequestResult<NewNode> created =
                counted.map(answer -> new NewNode(answer.path(), answer.parent().getMzxid()));
        return Optional.of(new Answers(created, wanted.offset, queue));
    }

    private Answers createInQueue(Session session, Wanted wanted, ClaimRequest request) {
        List<Parent> parents = List.of();
        for (int tries = 1; ; tries++) {
            TokenOffset.Look look = offset.look(session);
            Reply<CreatedNode> reply =
                    session.create(wanted.lock + "/" + wanted.node, wanted.data, acl, CreateMode.EPHEMERAL_SEQUENTIAL);
            QueueView.Asked queue = QueueView.ask(session, wanted.lock, look);
            RequestResult<NewNode> created = reply.await()
                    .map(answer -> new NewNode(answer.path(), answer.stat().getCzxid()));
            if (!created.isMissing()) {
                return new Answers(created, wanted.offset, queue);
            }
            parents.forEach(parent -> parent.requireExists("an acquire of lock '" + request.name() + "'"));
            if (tries == TRIES) {
                return new Answers(created, wanted.offset, queue);
            }
            parents = createContainers(session, wanted.lock);
        }
    }

    /** A node and those above it, as containers: the server removes them some time after they became empty. */
    List<Parent> createContainers(Session session, String lowest) {
        List<Parent> parents = new ArrayList<>();
        for (String path : LockPaths.withParents(lowest)) {
            parents.add(new Parent(path, session.create(path, NOTHING, acl, CreateMode.CONTAINER)));
        }
        return parents;
    }

    QueueView.Asked view(Session session, String lock) {
        TokenOffset.Look look = offset.look(session);
        return QueueView.ask(session, lock, look);
    }

    /** Takes in the first view of the queue by a claim with a new node. */
    void learn(String lock, String node, QueueView queue) {
        undisturbed.learn(lock, node, queue.soleVersion());
    }

    /** A node that no server removes. */
    Reply<CreatedNode> createLasting(Session session, String path, byte[] data) {
        return session.create(path, data, acl, CreateMode.PERSISTENT);
    }

    /** A node above others that is being created. */
    record Parent(String path, Reply<CreatedNode> reply) {

        /** If the node above was removed in the meantime, the next try creates this one. */
        void requireExists(String purpose) {
            RequestResult<CreatedNode> answer = reply.await();
            if (!answer.isOk() && answer.code() != Code.NODEEXISTS && !answer.isMissing()) {
                throw answer.failure("making " + path + " for " + purpose);
            }
        }
    }
}
