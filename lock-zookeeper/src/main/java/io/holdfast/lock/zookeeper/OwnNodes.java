package io.holdfast.lock.zookeeper;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.spi.ClaimRequest;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of one claim: the one in the lock's queue, and those that it may have left behind. Thread-safe: the claim is called
 * by one thread at a time, but the end of its session and the close of the provider come from other threads.
 */
final class OwnNodes {

    static final String ACQUIRE = "acquire";
    static final String RELEASE = "release";

    private final ClaimRequest request;
    private final String lock;
    private final NodeCreation creation;
    private final NodeRegistry registry;

    // Both guarded by this, which is never held during a request. The registry knows of the claim
    // while it may have nodes.

    /** The ids of nodes whose creation has no known outcome, or none yet. Replaced, as it is empty while a lock is held. */
    private Set<UUID> unconfirmed = Set.of();

    private @Nullable ClaimNode current;

    /** The latest proof of the current node; null if it has none, or needs none, as it was granted the lock. */
    private @Nullable ProvenNode proven;

    OwnNodes(ClaimRequest request, String lock, NodeCreation creation, NodeRegistry registry) {
        this.request = request;
        this.lock = lock;
        this.creation = creation;
        this.registry = registry;
    }

    /**
     * A node in the queue.
     *
     * @param path its path, the only text of it that is kept: there may be ten thousand nodes of held locks, and the client keeps
     *     it for each watch
     * @param session the session that it ends with
     * @param czxid the transaction that created it: its position among all changes that the ensemble has ever made
     * @param offset the offset of the tokens that it was created with
     */
    record ClaimNode(String path, Session session, long czxid, long offset) {
        /** Its name below the lock. */
        String name() {
            return path.substring(path.lastIndexOf('/') + 1);
        }
    }

    /**
     * A node that was created.
     *
     * @param node the node
     * @param queue the queue, read right after its creation
     */
    record Enqueued(ProvenNode node, QueueView queue) {}

    /** A question to the leader that was sent. */
    interface Proof {
        /** Waits for the answer; empty if the node is gone. */
        Optional<ProvenNode> await();
    }

    /** The path of the lock, below which the nodes are. */
    String lock() {
        return lock;
    }

    synchronized Optional<ClaimNode> current() {
        return Optional.ofNullable(current);
    }

    synchronized Set<UUID> unconfirmed() {
        return unconfirmed;
    }

    /** Whether the server has no node of the claim for certain. */
    synchronized boolean areNone() {
        return current == null && unconfirmed.isEmpty();
    }

    /** Creates a node, which is the current one from now on. */
    Enqueued create(Session session) {
        UUID id = UUID.randomUUID();
        expect(id);
        Elapsed sinceSent = new Elapsed();
        NodeCreation.Answers answers = creation.create(session, lock, id, request);
        ClaimNode mine = takeIn(id, answers, session);
        requireOrder(mine);
        QueueView queue = answers.queue().await(request.name());
        if (!queue.has(mine)) {
            // Somebody deleted it on purpose, so the attempt must not go on.
            forget();
            throw new LockStoreException("ZooKeeper: acquire of lock '" + request.name()
                    + "' failed: somebody has deleted the node of the claim, " + mine.path());
        }
        creation.learn(lock, mine.name(), queue);
        return new Enqueued(proven(mine, sinceSent), queue);
    }

    /** Asks the leader whether a node exists. */
    Proof prove(Session session, ClaimNode asked) {
        Elapsed sinceSent = new Elapsed();
        Reply<Boolean> reply = session.prove(asked.path());
        return () -> reply.await().wasThere(ACQUIRE, request.name())
                ? Optional.of(proven(asked, sinceSent))
                : Optional.empty();
    }

    private ProvenNode proven(ClaimNode node, Elapsed sinceSent) {
        ProvenNode proof = ProvenNode.now(node, sinceSent);
        synchronized (this) {
            if (node.equals(current)) {
                proven = proof.earlier();
            }
        }
        return proof;
    }

    /** The latest proof of the current node, if it is good enough for another attempt. */
    synchronized Optional<ProvenNode> recentlyProven() {
        return Optional.ofNullable(proven).filter(ProvenNode::isGood);
    }

    /** The claim has the lock by its current node: its next attempts ask the leader. */
    synchronized void granted() {
        proven = null;
    }

    private synchronized void expect(UUID id) {
        if (!registry.add(this)) {
            throw closed();
        }
        Set<UUID> more = new HashSet<>(unconfirmed);
        more.add(id);
        unconfirmed = Set.copyOf(more);
    }

    /** Notes the outcome of a creation. Returns the node; throws if none is known. */
    private ClaimNode takeIn(UUID id, NodeCreation.Answers answers, Session session) {
        RequestResult<ClaimNode> created =
                answers.created().map(node -> new ClaimNode(node.path(), session, node.czxid(), answers.offset()));
        synchronized (this) {
            if (created.isOk()) {
                current = created.get();
                proven = null;
            }
            if (!created.isUnknown()) {
                confirm(id);
            }
        }
        if (registry.deleteIfClosed(this)) {
            throw closed();
        }
        answers.requireLock(lock, request.name());
        return created.orThrow(ACQUIRE, request.name());
    }

    private LockStoreException closed() {
        return new LockStoreException(
                "ZooKeeper: acquire of lock '" + request.name() + "' failed: the provider is closed");
    }

    private void requireOrder(ClaimNode mine) {
        if (ClaimQueue.isPastTheEnd(mine.name())) {
            throw new LockStoreException("ZooKeeper: acquire of lock '" + request.name() + "' failed: the node " + lock
                    + " has had more children than its counter can count; it starts again when the node was deleted,"
                    + " which the server does when nobody has claimed the lock for a minute or two");
        }
    }

    /** The outcome of a creation is known. */
    private synchronized void confirm(UUID id) {
        Set<UUID> fewer = new HashSet<>(unconfirmed);
        fewer.remove(id);
        unconfirmed = Set.copyOf(fewer);
        leaveRegistryIfNone();
    }

    /** The current node is gone. */
    synchronized void forget() {
        current = null;
        proven = null;
        leaveRegistryIfNone();
    }

    /**
     * Deletes in the background a node that was lost with its session, or because the session's time-out became shorter. The
     * server may keep such a node, and the claim does not know it any more when it is released.
     *
     * @param lost the node; a newer node of the claim stays
     */
    void giveUp(ClaimNode lost) {
        synchronized (this) {
            if (lost.equals(current)) {
                forget();
            }
        }
        registry.discard(lost);
    }

    private synchronized void leaveRegistryIfNone() {
        if (areNone()) {
            registry.remove(this);
        }
    }

    /** Deletes the current node; returns whether it still existed. */
    boolean withdraw(Session session, String operation) {
        Optional<ClaimNode> mine = current();
        if (mine.isEmpty()) {
            return false;
        }
        boolean deleted = deleted(session, mine.get().path(), operation);
        forget();
        return deleted;
    }

    /**
     * Finds the nodes whose creation has an unknown outcome and deletes them; returns whether one of them had the lock.
     *
     * <p>The server may lag behind the leader and not have such a node yet. A transaction that a majority has to store comes
     * first; the server then answers the read from a state that is no older. A {@code sync} would not do: see
     * {@link Session#prove}. After this proof, a create of this session that is still missing will never be applied: the leader
     * takes no request from a connection that the session has left. A create of an earlier session may still be applied, and its
     * node ends with that session.
     */
    boolean withdrawUnconfirmed(Session session, String operation) {
        Set<UUID> sought = unconfirmed();
        if (sought.isEmpty()) {
            return false;
        }
        boolean wasFirst = false;
        Reply<Boolean> proof = session.prove(lock);
        ClaimQueue queue = queue(session, operation);
        // It does not matter whether the lock's node exists, only that the leader has answered.
        proof.await().wasThere(operation, request.name());
        for (UUID id : sought) {
            Optional<String> node = queue.nodeWith(id);
            if (node.isPresent()) {
                boolean first = queue.first().equals(node);
                wasFirst |= deleted(session, lock + "/" + node.get(), operation) && first;
            }
            confirm(id);
        }
        return wasFirst;
    }

    private boolean deleted(Session session, String path, String operation) {
        return session.delete(path).await().wasThere(operation, request.name());
    }

    /** The queue as this server knows it, which may lag behind the leader. */
    ClaimQueue queue(Session session, String operation) {
        return ClaimQueue.of(session.children(lock).await(), operation, request.name());
    }

    /** The queue and the offset of the tokens, for a node that exists already. */
    QueueView view(Session session) {
        return creation.view(session, lock).await(request.name()).forEarlierNode();
    }
}
