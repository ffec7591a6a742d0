package io.holdfast.lock.zookeeper;

import static io.holdfast.lock.zookeeper.OwnNodes.ACQUIRE;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.zookeeper.OwnNodes.ClaimNode;
import io.holdfast.lock.zookeeper.Session.Children;
import io.holdfast.lock.zookeeper.Session.NodeContent;
import java.util.Optional;
import org.apache.zookeeper.data.Stat;

/**
 * A queue as a server knew it, and the offset of the tokens, which was read after it.
 *
 * @param queue the claims for a lock
 * @param lastChange the transaction that last created or deleted one of them; 0 if that does not matter
 * @param offset the offset
 */
record QueueView(ClaimQueue queue, long lastChange, long offset) {

    /**
     * The requests that read it.
     *
     * @param children the first request
     * @param content the second one
     * @param offset takes in the answer to that
     */
    record Asked(Reply<Children> children, Reply<NodeContent> content, TokenOffset offset) {
        QueueView await(String lockName) {
            RequestResult<Children> answer = children.await();
            ClaimQueue queue = ClaimQueue.of(answer, ACQUIRE, lockName);
            long read = offset.takeIn(content.await(), lockName);
            return new QueueView(queue, answer.isOk() ? answer.get().lastChange() : 0, read);
        }
    }

    /** Sends both requests, in this order, which is the one in which the server answers them. */
    static Asked ask(Session session, String lock, TokenOffset offset) {
        return new Asked(session.children(lock), offset.ask(session), offset);
    }

    /** For a claim that has not just created its node: tokens may have been raised above the number of that since. */
    QueueView forEarlierNode() {
        return new QueueView(queue, 0, offset);
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
