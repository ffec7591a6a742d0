package io.holdfast.lock.zookeeper;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.zookeeper.Session.NodeContent;
import org.jspecify.annotations.Nullable;

/**
 * The offset by which the tokens of all locks below a base path are ahead of the ensemble's transactions, as a node beside the
 * locks has it; 0 without that node. It never becomes less. Thread-safe.
 *
 * <p>A token is {@value #TOKENS} times the number of a transaction, plus the offset. The grant reads it, or an
 * {@link OffsetWatch} knows it, which is the same: it is the offset that was in force when the queue was read, or later. Which
 * transaction, the offset decides:
 *
 * <ol>
 *   <li>If it is 0, the one that created the claim's node.
 *   <li>If this attempt has created the claim's node, with this offset, and the claim has been the first in the queue since then:
 *   the same one. Whether it was first shows in the last change of the queue, which is the creation.
 *   <li>Else the one by which the claim, being the first, writes the offset into its node. So in a raised store the number is
 *   always one at which the claim was the first.
 * </ol>
 *
 * <p><b>Tokens of a name grow.</b> Let claim A be granted before claim B; A's node was created before B's, and was gone when B
 * read the queue in which B is the first.
 *
 * <ul>
 *   <li>Offsets: A read its offset while its node existed (3: the write that follows proves it), or has one that was in force
 *   when its node was created (2: nobody has changed it since). B reads its offset after the queue, and a server answers the
 *   requests of a session in their order. So B's offset is no less.
 *   <li>Numbers, if A's offset is 0: A's is that of its creation, and B's is that of B's creation or a later one.
 *   <li>Numbers, if it is not: A's belongs to a transaction before the deletion of A's node. B's offset is not 0 either. B's
 *   number is one at which B was the first, so after that deletion.
 * </ul>
 *
 * <p>So it does not suffice to take the number of the creation always, with the offset of the grant: claims that began to wait
 * before a raise would have tokens below what was raised to. And to take the number of the write only where the offset has
 * changed would be wrong: a waiter behind such a claim, created before the write and with the new offset, would have a lower
 * number.
 *
 * <p><b>Tokens begin above what they were raised to.</b> {@link TokenRaiser} makes the offset so large that with the number of a
 * transaction before its own it gives that token. A grant whose attempt began afterwards reads that offset, because its session
 * has just asked the leader, and has a later number: that of a node created by this attempt, or of a write. A grant by an earlier
 * {@linkplain ProvenNode proof} has not asked it, so the first raise waits until there is none from before it.
 *
 * <p><b>A grant has {@value #TOKENS} tokens</b>: this one and those that follow it, for holders to whom the claim is passed on.
 * All of them are below the tokens of later grants, which have a later number and an offset that is no less.
 *
 * <p><b>The first token does not change.</b> The claim keeps it. Others read it from the claim's node: the offset is in its data,
 * and its last write is the transaction, which for a node that was never written is its creation.
 *
 * <p>The cost is a watch for all locks, and in a raised store a question to the leader and one write for each claim that had to
 * wait. That write wakes the next waiter for nothing.
 */
final class TokenOffset implements AutoCloseable {

    /** How many tokens a transaction has. */
    static final int TOKENS = 64;

    private final String path;

    /** What was read last. A new node is created with it: usually the grant then needs no write. */
    private volatile long known;

    // Both guarded by this.
    private @Nullable OffsetWatch watch;
    private boolean closed;

    TokenOffset(LockPaths paths) {
        this.path = paths.tokens();
    }

    long known() {
        return known;
    }

    /**
     * Sends what the session needs to know the offset, which is nothing if it is watched already. To be called before the request
     * for which the offset must be in force.
     */
    Look look(Session session) {
        OffsetWatch.Look look = watchIn(session).look();
        return lockName -> takeIn(look.await(), lockName);
    }

    /** Gives the offset. */
    interface Look {
        /**
         * The offset that was in force when the request was carried out whose answer came last. Waits, and throws, if it is not
         * known.
         */
        long offset(String lockName);
    }

    private synchronized OffsetWatch watchIn(Session session) {
        OffsetWatch present = watch;
        if (present == null || !present.isOf(session)) {
            // A watch of a former session has ended with that.
            present = new OffsetWatch(session, path);
            watch = present;
        }
        if (closed) {
            present.end();
        }
        return present;
    }

    /** Removes the watch from the client, which may be the application's and go on. */
    @Override
    public synchronized void close() {
        closed = true;
        if (watch != null) {
            watch.end();
        }
    }

    private long takeIn(RequestResult<NodeContent> answer, String lockName) {
        long offset =
                answer.isMissing() ? 0 : of(answer.orThrow("reading " + path + " for an acquire", lockName), path);
        known = offset;
        return offset;
    }

    /** What is in the node. */
    static long of(NodeContent content, String path) {
        try {
            return Long.parseLong(content.text());
        } catch (NumberFormatException tampered) {
            throw new LockStoreException(
                    "ZooKeeper: " + path + " was changed by another program: it has no number", tampered);
        }
    }

    /**
     * The first token of a transaction.
     *
     * @throws LockStoreException if it has not {@link #TOKENS} of them: not before an ensemble has had 16 million leaders, as the
     *     number of the leader is in the upper half of that of the transaction, and {@link TokenRaiser} keeps half of the tokens
     *     free
     */
    static FencingToken token(long transaction, long offset) {
        try {
            long last = Math.addExact(Math.multiplyExact(transaction, TOKENS) + (TOKENS - 1), offset);
            return new FencingToken(last - (TOKENS - 1));
        } catch (ArithmeticException tooLarge) {
            throw new LockStoreException(
                    "ZooKeeper: the fencing tokens are used up: transaction " + transaction
                            + " has none with the offset " + offset,
                    tooLarge);
        }
    }
}
