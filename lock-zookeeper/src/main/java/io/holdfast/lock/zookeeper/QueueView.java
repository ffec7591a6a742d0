package io.holdfast.lock.zookeeper;

import static io.holdfast.lock.zookeeper.OwnNodes.ACQUIRE;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.zookeeper.OwnNodes.ClaimNode;
import io.holdfast.lock.zookeeper.Session.Children;
import io.holdfast.lock.zookeeper.Session.CountedNode;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.zookeeper.data.Stat;

/**
 * A queue as a server knew it, and the offset of the tokens, which was read after it.
 *
 * @param queue the claims for a lock
 * @param lastChange the transaction that last created or deleted one of them; 0 if that does not matter
 * @param offset the offset
 * @param soleVersion the version of the lock's node, if that has no data and no more than one node below it
 */
record QueueView(ClaimQueue queue, long lastChange, long offset, OptionalInt soleVersion) {

    /** What was sent to read it. */
    interface Asked {
        QueueView await(String lockName);
    }

    /**
     * Sends the request that reads the queue.
     *
     * @param offset asked for before
     */
    static Asked ask(Session session, String lock, TokenOffset.Look offset) {
        Reply<Children> children = session.children(lock);
        return lockName -> {
            RequestResult<Children> answer = children.await();
            ClaimQueue queue = ClaimQueue.of(answer, ACQUIRE, lockName);
            // In this order: the offset must be the one of this moment, or of a later one.
            long read = offset.offset(lockName);
            return answer.isOk()
                    ? of(queue, answer.get().parent(), read)
                    : new QueueView(queue, 0, read, OptionalInt.empty());
        };
    }

    private static QueueView of(ClaimQueue queue, Stat lock, long offset) {
        boolean isSole = lock.getNumChildren() <= 1 && lock.getDataLength() == 0 && lock.getVersion() >= 0;
        OptionalInt version = isSole ? OptionalInt.of(lock.getVersion()) : OptionalInt.empty();
        return new QueueView(queue, lock.getPzxid(), offset, version);
    }

    /** The queue with the one node that was counted. */
    static QueueView ofSole(CountedNode node, long offset) {
        String name = node.path().substring(node.path().lastIndexOf('/') + 1);
        return of(new ClaimQueue(List.of(name)), node.parent(), offset);
    }

    /** For a claim that has not just created its node: tokens may have been raised above the number of that since. */
    QueueView forEarlierNode() {
        return new QueueView(queue, 0, offset, soleVersion);
    }

    boolean has(ClaimNode node) {
        return queue.has(node.name());
    }

    /**
     * Fixes the token of the first claim of the queue: see {@link TokenOffset}. Costs a write if the tokens were raised and
     * the claim had to wait, or did not know it yet.
     *
     * @return the token; empty if the claim's node is gone
     */
    Optional<FencingToken> fixToken(Session session, ClaimNode first, ClaimRequest request) {
        boolean neverRaised = offset == 0;
        boolean firstSinceItsCreation = lastChange == first.czxid();
        if (neverRaised || (firstSinceItsCreation && offset == first.offset())) {
            return Optional.of(TokenOffset.token(first.czxid(), offset));
        }
        byte[] data = HolderRecord.of(request, offset);
        RequestResult<Stat> written =
                session.write(first.path(), data, Session.ANY_VERSION).await();
        if (written.isMissing()) {
            return Optional.empty();
        }
        String call = "writing " + first.path()
                + ", which needs the permission write since the tokens were raised, for an acquire";
        return Optional.of(
                TokenOffset.token(written.orThrow(call, request.name()).getMzxid(), offset));
    }
}
