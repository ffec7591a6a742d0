package io.holdfast.wrong.zookeeper;

import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimRequest.Intent;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.wrong.WrongProvider;
import io.holdfast.wrong.zookeeper.TextbookSession.Node;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.ConnectionLossException;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.jspecify.annotations.Nullable;

/** What the client believes by itself, by its memory or its clock, where only the server knows. */
public enum WrongMemories implements WrongProvider {
    /** Each hiccup of the network ends all jobs, although their locks are in force. */
    LOST_CONNECTION_IS_A_LOST_LOCK(Opening.ofConnection(Nervous::new)),

    /** A process that is cut off goes on under its locks for as long as it likes, beside the next holders. */
    LOST_CONNECTION_IS_A_RENEWAL(Opening.ofClaims(Optimist::new)),

    /** Cut off in the middle of an attempt, a job hears that another one is at work, and does not run; none does. */
    LOST_CONNECTION_IS_CONTENTION(Opening.ofClaims(Pessimist::new)),

    /** A holder whose lock an operator has removed goes on beside the next holder as long as its session lives. */
    RENEWAL_ASKS_ONLY_FOR_THE_SESSION(Opening.ofClaims(SessionRenewal::new)),

    /** A lock that an operator has removed comes back at the next renewal, under a token that may be used up. */
    RENEWAL_CREATES_THE_NODE_AGAIN(Opening.ofClaims(Healer::new)),

    /** A claim that was granted once is granted for ever, also when others have the lock. */
    GRANT_ANSWERED_FROM_MEMORY(Opening.ofClaims(Rememberer::new)),

    /** While the store is down, a waiter hears that the lock is taken, and nobody notices the outage. */
    CONTENDED_WHILE_THE_WATCH_IS_QUIET(Opening.ofClaims(QuietWaiter::new)),

    /** An operator is shown a holder that has released, and removes the lock of the next one. */
    HOLDER_KEPT_FOR_A_SECOND(Opening.of(KeepsHolders::new)),

    /** A health check is fine, and a lock is shown as free, while the store is down. */
    NO_HOLDER_WHILE_THE_STORE_IS_DOWN(Opening.of(NoHolders::new)),

    /** A job that runs longer than three leases, or whose clock is behind the server's, loses its lock to the next. */
    OLD_NODES_ARE_TAKEN_FOR_DEAD(Opening.ofClaims(Undertaker::new));

    // A function without state.
    @SuppressWarnings("ImmutableEnumChecker")
    private final Opening opening;

    WrongMemories(Opening opening) {
        this.opening = opening;
    }

    @Override
    public LockHarness harness() {
        return TextbookHarness.of(opening);
    }

    private static final class Nervous extends Connection {
        Nervous(String servers) {
            super(servers);
        }

        @Override
        void changed(WatchedEvent event) {
            if (event.getState() == KeeperState.Disconnected) {
                reportAll();
            }
            super.changed(event);
        }
    }

    private static final class Optimist extends TextbookClaim {
        Optimist(TextbookProvider provider, ClaimRequest request, ClaimSignals signals) {
            super(provider, request, signals);
        }

        /** The client would say if the session had ended. */
        @Override
        public Renewal renew() {
            try {
                return super.renew();
            } catch (LockStoreException disconnected) {
                return new Renewal.Held(provider.validity(grantedSession(), request));
            }
        }
    }

    private static final class Pessimist extends TextbookClaim {
        Pessimist(TextbookProvider provider, ClaimRequest request, ClaimSignals signals) {
            super(provider, request, signals);
        }

        @Override
        Attempt attemptIn(TextbookSession session) throws KeeperException {
            try {
                return super.attemptIn(session);
            } catch (ConnectionLossException later) {
                return CONTENDED;
            }
        }
    }

    private static final class SessionRenewal extends TextbookClaim {
        SessionRenewal(TextbookProvider provider, ClaimRequest request, ClaimSignals signals) {
            super(provider, request, signals);
        }

        @Override
        boolean proven(TextbookSession session, String path) throws KeeperException {
            return session.prove(provider.root);
        }
    }

    private static final class Healer extends TextbookClaim {
        Healer(TextbookProvider provider, ClaimRequest request, ClaimSignals signals) {
            super(provider, request, signals);
        }

        @Override
        boolean proven(TextbookSession session, String path) throws KeeperException {
            if (super.proven(session, path)) {
                return true;
            }
            String again = provider.enqueue(session, request);
            if (Optional.of(again)
                    .equals(provider.queue(session, name()).stream().findFirst())) {
                remember(session, again);
                return true;
            }
            boolean unused = session.delete(pathOf(again));
            return false;
        }
    }

    private static final class Rememberer extends TextbookClaim {
        private @Nullable Attempt grant;

        Rememberer(TextbookProvider provider, ClaimRequest request, ClaimSignals signals) {
            super(provider, request, signals);
        }

        @Override
        public Attempt attempt() {
            Attempt known = grant;
            if (known != null) {
                return known;
            }
            Attempt answer = super.attempt();
            grant = answer instanceof Attempt.Granted ? answer : null;
            return answer;
        }

        @Override
        void forget() {
            grant = null;
            super.forget();
        }
    }

    private static final class QuietWaiter extends TextbookClaim {
        private volatile boolean watching;

        QuietWaiter(TextbookProvider provider, ClaimRequest request, ClaimSignals signals) {
            super(provider, request, signals);
        }

        @Override
        public Attempt attempt() {
            return watching ? CONTENDED : super.attempt();
        }

        @Override
        boolean watch(TextbookSession session, String path) throws KeeperException {
            // Before the request: the watch may fire before its answer is read.
            watching = true;
            try {
                boolean isThere = super.watch(session, path);
                if (!isThere) {
                    watching = false;
                }
                return isThere;
            } catch (KeeperException unknown) {
                watching = false;
                throw unknown;
            }
        }

        @Override
        void seen(WatchedEvent event) {
            if (isWakeUp(event)) {
                watching = false;
            }
            super.seen(event);
        }
    }

    private static final class KeepsHolders extends TextbookProvider {
        private static final Duration KEPT = Duration.ofSeconds(1);

        private final Map<String, Known> known = new ConcurrentHashMap<>();

        private record Known(Optional<LockHolder> holder, long since) {
            boolean isFresh() {
                return System.nanoTime() - since < KEPT.toNanos();
            }
        }

        KeepsHolders(Connection connection, String root) {
            super(connection, root);
        }

        @Override
        public Optional<LockHolder> holder(String name) {
            Known fresh = known.get(name);
            if (fresh == null || !fresh.isFresh()) {
                fresh = new Known(super.holder(name), System.nanoTime());
                known.put(name, fresh);
            }
            return fresh.holder();
        }
    }

    private static final class NoHolders extends TextbookProvider {
        NoHolders(Connection connection, String root) {
            super(connection, root);
        }

        @Override
        public Optional<LockHolder> holder(String name) {
            try {
                return super.holder(name);
            } catch (LockStoreException down) {
                return Optional.empty();
            }
        }
    }

    private static final class Undertaker extends TextbookClaim {
        private static final Duration AGE = Connection.SESSION.multipliedBy(3);

        Undertaker(TextbookProvider provider, ClaimRequest request, ClaimSignals signals) {
            super(provider, request, signals);
        }

        @Override
        Optional<Attempt> attemptWith(TextbookSession session, List<String> queue, String own) throws KeeperException {
            String first = queue.get(0);
            if (request.intent() == Intent.WAIT && !first.equals(own) && isOld(session.read(pathOf(first), null))) {
                boolean unused = session.delete(pathOf(first));
                return Optional.empty();
            }
            return super.attemptWith(session, queue, own);
        }

        private static boolean isOld(Optional<Node> node) {
            return node.isPresent()
                    && System.currentTimeMillis() - node.get().stat().getCtime() > AGE.toMillis();
        }
    }
}
