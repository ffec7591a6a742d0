package io.holdfast.lock.zookeeper;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.zookeeper.Session.Made;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.ACL;

/** Puts bids in line: makes their nodes, and the nodes above them where these are missing. Thread-safe. */
final class NodeCreation {

    private static final byte[] NOTHING = {};

    /** The server removes an empty lock node when it likes, so also between its making and the first bid: once more, then. */
    private static final int TRIES = 5;

    private final List<ACL> acl;

    NodeCreation(List<ACL> acl) {
        this.acl = List.copyOf(acl);
    }

    /**
     * What came of a bid.
     *
     * @param made the answer to the making of its node
     * @param line the answer to the question who is in line, asked behind it
     */
    record Entry(RequestResult<Made> made, RequestResult<List<String>> line) {

        /** The node of the bid, or the failure to make it below that of the lock. */
        Made node(String lock, String lockName) {
            if (made.isMissing()) {
                throw new LockStoreException(
                        "ZooKeeper: " + OwnNodes.ACQUIRE + " of lock '" + lockName + "' failed: the node " + lock
                                + " could not be made, as there is none above it; the chroot in the client's connect string,"
                                + " if there is one, may not exist",
                        KeeperException.create(made.code(), lock));
            }
            return made.orThrow(OwnNodes.ACQUIRE, lockName);
        }
    }

    /** Makes the node of a bid and asks for the line behind it, in one round trip if the lock's node is there. */
    Entry enter(Session session, String lock, UUID id, ClaimRequest request) {
        byte[] data = HolderRecord.of(request);
        List<Above> above = List.of();
        for (int tries = 1; ; tries++) {
            Reply<Made> made =
                    session.make(lock + "/" + ClaimQueue.newNode(id), data, acl, CreateMode.EPHEMERAL_SEQUENTIAL);
            Reply<List<String>> line = session.children(lock);
            RequestResult<Made> answer = made.await();
            if (!answer.isMissing()) {
                return new Entry(answer, line.await());
            }
            above.forEach(node -> node.requireThere(request.name()));
            if (tries == TRIES) {
                return new Entry(answer, line.await());
            }
            above = makeAbove(session, lock);
        }
    }

    /** As containers: the server removes them when they have become empty, and never while somebody bids below them. */
    private List<Above> makeAbove(Session session, String lock) {
        List<Above> nodes = new ArrayList<>();
        for (String path : LockPaths.withParents(lock)) {
            nodes.add(new Above(path, session.make(path, NOTHING, acl, CreateMode.CONTAINER)));
        }
        return nodes;
    }

    /** A node above the bids that is being made. */
    private record Above(String path, Reply<Made> reply) {

        /** One that could not be made because the node above it was removed meanwhile is made in the next try. */
        void requireThere(String lockName) {
            RequestResult<Made> answer = reply.await();
            if (!answer.isOk() && answer.code() != Code.NODEEXISTS && !answer.isMissing()) {
                throw answer.failure("making " + path + " for an acquire", lockName);
            }
        }
    }
}
