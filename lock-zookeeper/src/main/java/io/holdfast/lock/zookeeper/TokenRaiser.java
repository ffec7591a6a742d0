package io.holdfast.lock.zookeeper;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.zookeeper.NodeCreation.Parent;
import io.holdfast.lock.zookeeper.Session.CreatedNode;
import io.holdfast.lock.zookeeper.Session.NodeContent;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/** Reads and raises the offset of the tokens: see {@link TokenOffset}. Thread-safe. */
final class TokenRaiser {

    private static final int TRIES = 100;

    /** As many tokens are left above it. */
    private static final long MOST = 1L << 62;

    /** A tenth more than that, for clocks that run at different rates. */
    private static final Duration PROOFS_END =
            ProvenNode.RECENT.multipliedBy(11).dividedBy(10);

    private final LockPaths paths;
    private final NodeCreation creation;

    /** Since this has first seen raised tokens; null if it has not. */
    private volatile @Nullable Elapsed sinceRaised;

    TokenRaiser(LockPaths paths, NodeCreation creation) {
        this.paths = paths;
        this.creation = creation;
    }

    /**
     * The offset at a transaction that is later than all grants so far.
     *
     * @param transaction the number of the transaction
     * @param version of the node after it
     * @param offset the offset
     */
    private record Present(long transaction, int version, long offset) {
        /** The token that a grant would have by this transaction, with an offset. */
        long token(long with) {
            return TokenOffset.token(transaction, with).value();
        }
    }

    long highest(Sessions sessions) {
        String call = named("reading of the highest token");
        Session session = sessions.connected(call);
        Present present = present(session, call);
        return present.token(present.offset());
    }

    void raise(Sessions sessions, long above) {
        if (above > MOST) {
            throw new LockConfigurationException(
                    "The tokens cannot be raised above " + above + "; allowed is up to " + MOST);
        }
        String call = named("raising of the tokens");
        Session session = sessions.connected(call);
        for (int tries = 0; tries < TRIES; tries++) {
            Present present = present(session, call);
            // At least 1, or a claim that waits already would have the number of its creation.
            long needed = Math.max(1, Math.max(above, 0) - present.token(0));
            if (present.offset() == 0) {
                sinceRaised = null;
            }
            if (present.offset() >= needed) {
                awaitEndOfProofs();
                return;
            }
            RequestResult<Stat> written = session.write(paths.tokens(), text(needed), present.version())
                    .await();
            if (written.isOk()) {
                awaitEndOfProofs();
                return;
            }
            requireRace(written, call);
        }
        throw busy(call);
    }

    /**
     * Waits, once, until every claim knows that tokens are raised in this store: those that do not are granted by a proof from
     * before the raise, so while that is recent. Another client may have raised them just now, and wait for the same.
     */
    private void awaitEndOfProofs() {
        Elapsed since = sinceRaised;
        if (since == null) {
            since = new Elapsed();
            sinceRaised = since;
        }
        Duration left = PROOFS_END.minus(since.time());
        CountDownLatch never = new CountDownLatch(1);
        UninterruptibleWait.run(() -> never.await(left.toNanos(), TimeUnit.NANOSECONDS));
    }

    private String named(String call) {
        return call + ", which needs read and write on " + paths.tokens() + " and create on " + paths.base() + ",";
    }

    /** Writes the node as it is: no number of a transaction can be read without a write. */
    private Present present(Session session, String call) {
        for (int tries = 0; tries < TRIES; tries++) {
            Reply<Boolean> proof = session.prove(paths.tokens());
            RequestResult<NodeContent> read = session.read(paths.tokens(), null).await();
            RequestResult<Boolean> proven = proof.await();
            if (!proven.isOk() && !proven.isMissing()) {
                throw proven.failure(call);
            }
            Optional<Present> present = read.isMissing() ? created(session, call) : rewritten(session, read, call);
            if (present.isPresent()) {
                return present.get();
            }
        }
        throw busy(call);
    }

    private Optional<Present> created(Session session, String call) {
        RequestResult<CreatedNode> created =
                creation.createLasting(session, paths.tokens(), text(0)).await();
        if (created.isMissing()) {
            List<Parent> parents = creation.createContainers(session, paths.base());
            created = creation.createLasting(session, paths.tokens(), text(0)).await();
            if (created.isMissing()) {
                parents.forEach(parent -> parent.requireExists("the " + call));
            }
        }
        if (!created.isOk()) {
            requireRace(created, call);
            return Optional.empty();
        }
        Stat stat = created.get().stat();
        return Optional.of(new Present(stat.getCzxid(), stat.getVersion(), 0));
    }

    private Optional<Present> rewritten(Session session, RequestResult<NodeContent> read, String call) {
        if (!read.isOk()) {
            throw read.failure(call);
        }
        long offset = TokenOffset.of(read.get(), paths.tokens());
        RequestResult<Stat> written = session.write(
                        paths.tokens(), text(offset), read.get().stat().getVersion())
                .await();
        if (!written.isOk()) {
            requireRace(written, call);
            return Optional.empty();
        }
        return Optional.of(new Present(written.get().getMzxid(), written.get().getVersion(), offset));
    }

    /** Another client did the same at the same time. */
    private static void requireRace(RequestResult<?> answer, String call) {
        if (answer.code() != Code.BADVERSION && answer.code() != Code.NODEEXISTS && !answer.isMissing()) {
            throw answer.failure(call);
        }
    }

    private static LockStoreException busy(String call) {
        return new LockStoreException("ZooKeeper: " + call + " failed: others raise them all the time");
    }

    private static byte[] text(long offset) {
        return Long.toString(offset).getBytes(StandardCharsets.US_ASCII);
    }
}
