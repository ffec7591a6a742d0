package io.holdfast.wrong.zookeeper;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.wrong.WrongProvider;
import io.holdfast.wrong.zookeeper.TextbookSession.Node;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.ZooKeeper;

/** What the habits of ZooKeeper's users make of the textbook's provider, beside the steps that the textbook names. */
public enum LastZooKeeperFaults implements WrongProvider {
    /**
     * Tokens are raised before a move to this store, and a client that waited meanwhile is granted a token that resources refuse
     * (6.7).
     */
    RAISED_TOKENS_LEAVE_WAITERS_BELOW(Opening.of(ChangeFaults.TokenOfTheCreation::new)),

    /** Once an operator has raised the tokens, a release answers that nothing was held, and the lock stays taken (5.3, 5.4). */
    WRITTEN_NODE_IS_NOT_RELEASED(Opening.of(ChangeFaults.UnwrittenDeleting::new)),

    /** An operator is shown a token that the holder does not have, as soon as somebody else has asked for the lock (6.2, 9.8). */
    LAST_CHANGE_OF_THE_QUEUE_IS_SHOWN_AS_TOKEN(Opening.of(ChangeFaults.TokenOfTheQueue::new)),

    /** The process that an operator is told to stop is long dead, and nobody holds the lock (9.8). */
    RECORD_OF_THE_HOLDER_OUTLIVES_ITS_SESSION(Opening.of(ChangeFaults.HolderOnRecord::new)),

    /** A waiter whose connection was away for a moment sleeps on when the lock becomes free (7.2). */
    LOST_CONNECTION_USES_UP_THE_WATCH(Opening.ofClaims(OneShotWaiter::new)),

    /** One thread of a process gives up its wait, and the others that wait for the same lock are not woken any more (7.2). */
    WAITER_THAT_GIVES_UP_TAKES_THE_SHARED_WATCH_AWAY(Opening.of(SharedWatches::new)),

    /**
     * Two requests of a process at the same moment leave a node that belongs to nobody, and the lock is never free again (1.5,
     * 5.4).
     */
    CONCURRENT_READS_OF_A_QUEUE_ARE_SHARED(Opening.of(CrowdFaults.SharedReads::new)),

    /** An operator removes one lock, and the process loses others with it that nobody has touched (3.4). */
    MISSING_NODE_SPOILS_THE_REST_OF_ITS_BATCH(Opening.of(CrowdFaults.Batches::new)),

    /**
     * A holder whose lock an operator has removed is told that it still has it, as another lock was renewed just before (8.5).
     */
    RECENT_PROOF_OF_THE_SESSION_RENEWS_ALL(Opening.of(CrowdFaults.SharedProofs::new)),

    /** A client is closed, and the locks of the other clients in its process are free while they are held (2.2, 5.5). */
    CLOSE_CLEARS_UP_AFTER_ITS_PROCESS(Opening.of(CrowdFaults.ProcessCleaning::new)),

    /**
     * A client that is closed while the server is away connects again later, and keeps its locks as long as the process lives
     * (5.5, 9.3).
     */
    CLOSE_WITHOUT_CONNECTION_LEAVES_THE_CLIENT(Opening.ofConnection(ConnectedClosing::new)),

    /** The first long outage is survived, and after the second one the process has to be started again (9.5). */
    SECOND_END_OF_A_SESSION_IS_FINAL(Opening.ofConnection(RenewedOnce::new)),

    /**
     * Work that takes longer than a session's time-out has its lock taken away by a waiter, and two go on at once (1.1, 2.2,
     * 3.4).
     */
    WAITER_TAKES_A_LONG_HELD_LOCK_FOR_ABANDONED(Opening.ofClaims(ImpatientWaiter::new)),

    /**
     * A thread is interrupted while it asks, and the node that it leaves stops everybody until the process ends (1.5, 5.6, 7.4).
     */
    INTERRUPTED_CREATION_IS_FORGOTTEN(Opening.ofClaims(InterruptibleClaim::new)),

    /**
     * An owner asks again after a loss, and is given its old claim, which the late release of that then frees under it (1.1, 4.5,
     * 6.1).
     */
    LAST_CLAIM_OF_AN_OWNER_IS_RESUMED(Opening.ofClaims(ResumingClaim::new));

    // A function without state.
    @SuppressWarnings("ImmutableEnumChecker")
    private final Opening opening;

    LastZooKeeperFaults(Opening opening) {
        this.opening = opening;
    }

    @Override
    public LockHarness harness() {
        return TextbookHarness.of(opening);
    }

    /** Believes that each event uses up a watch; those of the connection do not. */
    private static final class OneShotWaiter extends TextbookClaim {
        private final AtomicBoolean armed = new AtomicBoolean();

        OneShotWaiter(TextbookProvider provider, ClaimRequest request, ClaimSignals signals) {
            super(provider, request, signals);
        }

        @Override
        boolean watch(TextbookSession session, String path) throws KeeperException {
            armed.set(true);
            return super.watch(session, path);
        }

        @Override
        void seen(WatchedEvent event) {
            if (armed.getAndSet(false)) {
                super.seen(event);
            }
        }
    }

    private static final class ConnectedClosing extends Connection {
        ConnectedClosing(String servers) {
            super(servers);
        }

        @Override
        void close(ZooKeeper current) {
            if (current.getState().isConnected()) {
                super.close(current);
            } else {
                leaveOpen(current);
            }
        }
    }

    private static final class RenewedOnce extends Connection {
        private boolean renewed;

        RenewedOnce(String servers) {
            super(servers);
        }

        @Override
        boolean isUsable(ZooKeeper present) {
            if (super.isUsable(present) || renewed) {
                return true;
            }
            renewed = true;
            return false;
        }
    }

    /** Takes the time-out of a session for the longest time that a lock is held. */
    private static final class ImpatientWaiter extends TextbookClaim {
        private String predecessor = "";
        private long since;

        ImpatientWaiter(TextbookProvider provider, ClaimRequest request, ClaimSignals signals) {
            super(provider, request, signals);
        }

        @Override
        boolean watches(TextbookSession session, List<String> queue, String own) throws KeeperException {
            String first = queue.get(0);
            long now = System.nanoTime();
            if (!first.equals(predecessor)) {
                predecessor = first;
                since = now;
            } else if (now - since > provider.validity(session, request).toNanos()) {
                boolean unused = session.delete(pathOf(first));
                return false;
            }
            return super.watches(session, queue, own);
        }
    }

    /** Takes a creation that it did not wait for to the end for one that did not happen. */
    private static final class InterruptibleClaim extends TextbookClaim {
        InterruptibleClaim(TextbookProvider provider, ClaimRequest request, ClaimSignals signals) {
            super(provider, request, signals);
        }

        @Override
        Optional<Attempt> enqueued(TextbookSession session) throws KeeperException {
            provider.createParents(session, name());
            try {
                return super.enqueued(new InterruptibleSession(session.client));
            } catch (Interruption interrupted) {
                expectNoNode();
                throw new LockStoreException(
                        "ZooKeeper: acquire of lock '" + name() + "' was interrupted", interrupted);
            }
        }
    }

    private static final class Interruption extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Interruption(InterruptedException cause) {
            super(cause);
        }
    }

    private static final class InterruptibleSession extends TextbookSession {
        InterruptibleSession(ZooKeeper client) {
            super(client);
        }

        @Override
        <T> T await(CompletableFuture<T> reply) throws KeeperException {
            try {
                reply.get();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new Interruption(interrupted);
            } catch (ExecutionException failed) {
                // Thrown below.
            }
            return super.await(reply);
        }
    }

    /** Goes on with a node of its session and owner, as after a lost connection. */
    private static final class ResumingClaim extends TextbookClaim {
        ResumingClaim(TextbookProvider provider, ClaimRequest request, ClaimSignals signals) {
            super(provider, request, signals);
        }

        @Override
        Optional<String> own(TextbookSession session, List<String> queue) throws KeeperException {
            Optional<String> own = super.own(session, queue);
            if (own.isPresent()) {
                return own;
            }
            for (String child : queue) {
                Optional<Node> node = session.read(pathOf(child), null);
                if (node.isPresent() && isOfOwner(session, node.get())) {
                    expectNode();
                    return Optional.of(child);
                }
            }
            return Optional.empty();
        }

        private boolean isOfOwner(TextbookSession session, Node node) {
            long token = node.stat().getCzxid();
            return node.stat().getEphemeralOwner() == session.client.getSessionId()
                    && TextbookProvider.holderOf(node, token).owner().equals(request.ownerId());
        }
    }
}
