package io.holdfast.lock.zookeeper;

import io.holdfast.lock.zookeeper.OwnNodes.ClaimNode;
import java.time.Duration;

/**
 * A node of which the leader has said that it exists, by a transaction that it agreed on with a majority. A read does not prove
 * that: it may come from a server that was cut off while the others ended the session. A grant needs this proof.
 *
 * <p>The proof is one of this attempt, or a recent one: that of an earlier attempt of the claim, usually the creation of its
 * node. From the moment just before the proof was sent, the session, and with it the node, lives for
 * {@link NegotiatedTimeOut#validity()} at least. So a grant by a recent proof is as good as one that was given with the proof,
 * only that it ends as early as that one.
 *
 * <p>A recent proof says nothing of what others did after it. That matters twice:
 *
 * <ul>
 *   <li>Whether the claim is the first in its queue: a read tells that, however far its server is behind. No node ever comes
 *   before another one that was there already, so what was the first once is the first until it is deleted.
 *   <li>What tokens were raised to: so the first raise waits until no such proof of an earlier time is recent any more
 *   ({@link TokenRaiser}), and none is used once tokens were raised.
 * </ul>
 */
final class ProvenNode {

    /** For how long a proof is recent at most. */
    static final Duration RECENT = Duration.ofMillis(500);

    private final ClaimNode node;
    private final NegotiatedTimeOut timeOut;
    private final Elapsed sinceSent;
    private final boolean isEarlier;

    private ProvenNode(ClaimNode node, NegotiatedTimeOut timeOut, Elapsed sinceSent, boolean isEarlier) {
        this.node = node;
        this.timeOut = timeOut;
        this.sinceSent = sinceSent;
        this.isEarlier = isEarlier;
    }

    /**
     * The leader has just answered.
     *
     * @param sinceSent since the moment before the request was sent
     */
    static ProvenNode now(ClaimNode node, Elapsed sinceSent) {
        return new ProvenNode(node, node.session().negotiated(), sinceSent, false);
    }

    /** The same proof in a later attempt. */
    ProvenNode earlier() {
        return new ProvenNode(node, timeOut, sinceSent, true);
    }

    ClaimNode node() {
        return node;
    }

    /** Whether it is one of this attempt, or recent; a server may have granted the session another time-out since. */
    boolean isGood() {
        return !isEarlier || (timeOut.equals(node.session().negotiated()) && sinceSent.isLessThan(timeOut.recent()));
    }

    /** Whether it proves enough for a grant with an offset of the tokens. */
    boolean sufficesWith(long offset) {
        return isGood() && (!isEarlier || offset == 0);
    }

    /** How long a grant is good for, counted from the start of the attempt, with a time-out. */
    Duration validity(NegotiatedTimeOut granted) {
        return isEarlier ? granted.validity().minus(sinceSent.time()) : granted.validity();
    }
}
