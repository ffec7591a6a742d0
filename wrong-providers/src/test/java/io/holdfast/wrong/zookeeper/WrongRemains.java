package io.holdfast.wrong.zookeeper;

import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.wrong.WrongProvider;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;

/** What stays when it should be gone: nodes of claims, clients and their threads; and who is shown for it. */
public enum WrongRemains implements WrongProvider {
    /** The node of a waiter that gave up comes to the front, and the lock is taken by nobody until its process ends. */
    RELEASE_OF_A_WAITER_DOES_NOTHING(Opening.ofClaims(Stayer::new)),

    /** Each check whether a lock is free leaves a place in the queue that nobody will ever use. */
    SINGLE_ATTEMPT_STAYS_IN_THE_QUEUE(Opening.ofClaims(SingleStayer::new)),

    /** A thread that is stopped while it asks for the lock leaves a node, and the lock is taken until its process ends. */
    INTERRUPTED_ATTEMPT_IS_FORGOTTEN(Opening.of(Interruptible::new)),

    /** The death of a holder stops everybody until an operator deletes its node. */
    NODES_OUTLIVE_THEIR_SESSION(Opening.of(Immortal::new)),

    /** Each redeployment of an application leaves two threads and a connection. */
    CLOSE_LEAVES_THE_CLIENT_RUNNING(Opening.ofConnection(Lingering::new)),

    /** After a short loss of the connection a second client begins; the locks of the first are lost, and nobody gets them. */
    CUT_OFF_CLIENT_IS_REPLACED_AND_LEFT(Opening.ofConnection(Impatient::new)),

    /** The release of a lock that had been lost says that all went well, and the work is booked as done under the lock. */
    MISSING_NODE_COUNTS_AS_RELEASED(Opening.ofClaims(Careless::new)),

    /** An operator is shown a waiter as the holder, and stops the wrong process. */
    HOLDER_IS_THE_FIRST_CHILD_AS_LISTED(Opening.of(Unsorted::new));

    // A function without state.
    @SuppressWarnings("ImmutableEnumChecker")
    private final Opening opening;

    WrongRemains(Opening opening) {
        this.opening = opening;
    }

    @Override
    public LockHarness harness() {
        return TextbookHarness.of(opening);
    }

    private static final class Stayer extends TextbookClaim {
        Stayer(TextbookProvider provider, ClaimRequest request, ClaimSignals signals) {
            super(provider, request, signals);
        }

        @Override
        public Release release() {
            return granted == null ? Release.NOT_HELD : super.release();
        }
    }

    private static final class SingleStayer extends TextbookClaim {
        SingleStayer(TextbookProvider provider, ClaimRequest request, ClaimSignals signals) {
            super(provider, request, signals);
        }

        @Override
        void leaveQueue(TextbookSession session, String own) {
            expectNoNode();
        }
    }

    private static final class Interruptible extends TextbookProvider {
        Interruptible(Connection connection, String root) {
            super(connection, root);
        }

        @Override
        TextbookClaim claim(ClaimRequest request, ClaimSignals signals) {
            return new TextbookClaim(this, request, signals) {
                @Override
                Optional<Attempt> enqueued(TextbookSession session) throws KeeperException {
                    provider.createParents(session, name());
                    try {
                        return super.enqueued(new InterruptibleSession(session.client));
                    } catch (KeeperException failure) {
                        if (Thread.currentThread().isInterrupted()) {
                            expectNoNode();
                        }
                        throw failure;
                    }
                }
            };
        }
    }

    private static final class InterruptibleSession extends TextbookSession {
        private static final long ANSWER_SECONDS = 10;

        InterruptibleSession(ZooKeeper client) {
            super(client);
        }

        @Override
        <T> T await(CompletableFuture<T> reply) throws KeeperException {
            try {
                return reply.get(ANSWER_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new KeeperException.OperationTimeoutException();
            } catch (ExecutionException | TimeoutException failure) {
                if (failure.getCause() instanceof KeeperException cause) {
                    throw cause;
                }
                throw new KeeperException.OperationTimeoutException();
            }
        }
    }

    private static final class Immortal extends TextbookProvider {
        Immortal(Connection connection, String root) {
            super(connection, root);
        }

        @Override
        CreateMode mode() {
            return CreateMode.PERSISTENT_SEQUENTIAL;
        }
    }

    private static final class Lingering extends Connection {
        Lingering(String servers) {
            super(servers);
        }

        @Override
        void close(ZooKeeper current) {
            leaveOpen(current);
        }
    }

    private static final class Impatient extends Connection {
        private final AtomicBoolean isCutOff = new AtomicBoolean();

        Impatient(String servers) {
            super(servers);
        }

        @Override
        void changed(WatchedEvent event) {
            if (event.getState() == KeeperState.Disconnected) {
                isCutOff.set(true);
            }
            super.changed(event);
        }

        @Override
        boolean isUsable(ZooKeeper present) {
            if (isCutOff.compareAndSet(true, false)) {
                leaveOpen(present);
                return false;
            }
            return super.isUsable(present);
        }
    }

    private static final class Careless extends TextbookClaim {
        Careless(TextbookProvider provider, ClaimRequest request, ClaimSignals signals) {
            super(provider, request, signals);
        }

        @Override
        Release releaseIn(TextbookSession session) throws KeeperException {
            boolean wasGranted = granted != null;
            Release release = super.releaseIn(session);
            return wasGranted ? Release.RELEASED : release;
        }
    }

    private static final class Unsorted extends TextbookProvider {
        Unsorted(Connection connection, String root) {
            super(connection, root);
        }

        @Override
        Optional<String> shown(TextbookSession session, String name) throws KeeperException {
            return claims(session, name).stream().findFirst();
        }
    }
}
