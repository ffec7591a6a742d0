package io.holdfast.wrong.zookeeper;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.wrong.WrongProvider;
import io.holdfast.wrong.zookeeper.TextbookSession.Node;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.NoNodeException;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/** What is right the first time: watches, sessions, attempts and nodes that come again. */
public enum WrongRepetitions implements WrongProvider {
    /** Once somebody in the queue has given up, those behind are not woken any more. */
    WATCHES_ONLY_ITS_FIRST_PREDECESSOR(Opening.ofClaims(OneWatch::new)),

    /** A holder that asks twice gets another token as soon as somebody waits, and cannot be recognized by the first. */
    TOKEN_READ_ANEW_AT_EACH_ATTEMPT(Opening.of(TokenOfLock::new)),

    /** A waiter that polls more often than the others is never served. */
    EACH_ATTEMPT_QUEUES_AT_THE_END(Opening.ofClaims(QueuesAgain::new)),

    /** A lost reply leaves a node that nobody knows, and the lock is taken until the process ends. */
    NODE_OF_A_LOST_REPLY_IS_NOT_SOUGHT(Opening.ofClaims(Forgetful::new)),

    /** After a pause of some seconds a process can lock nothing any more until it is started again. */
    ENDED_SESSION_IS_NEVER_REPLACED(Opening.ofConnection(OneSession::new)),

    /** After a short loss of the connection, waiters sleep although their lock is free. */
    WATCHES_END_WITH_THE_CONNECTION(Opening.ofConnection(NoWatchReset::new)),

    /** After a long loss of the connection, waiters have no place in the queue, and nobody tells them. */
    WAITER_NOT_WOKEN_WHEN_ITS_SESSION_ENDS(Opening.ofClaims(DeafToEnds::new)),

    /** A waiter whose session had ended comes back, does not find its node, and works beside the holder. */
    MISSING_NODE_COUNTS_AS_FIRST(Opening.ofClaims(MissingIsFirst::new)),

    /** A lock that two clients use in turn fails for the first of them from its second use on. */
    REMEMBERS_THAT_THE_LOCKS_NODE_EXISTS(Opening.of(KnownLocks::new));

    // A function without state.
    @SuppressWarnings("ImmutableEnumChecker")
    private final Opening opening;

    WrongRepetitions(Opening opening) {
        this.opening = opening;
    }

    @Override
    public LockHarness harness() {
        return TextbookHarness.of(opening);
    }

    private static final class OneWatch extends TextbookClaim {
        private boolean hasWatched;

        OneWatch(TextbookProvider provider, ClaimRequest request, ClaimSignals signals) {
            super(provider, request, signals);
        }

        @Override
        boolean watches(TextbookSession session, List<String> queue, String own) throws KeeperException {
            hasWatched = hasWatched || super.watches(session, queue, own);
            return hasWatched;
        }

        @Override
        Optional<Attempt> enqueued(TextbookSession session) throws KeeperException {
            hasWatched = false;
            return super.enqueued(session);
        }
    }

    private static final class TokenOfLock extends TextbookProvider {
        TokenOfLock(Connection connection, String root) {
            super(connection, root);
        }

        /** Each change of the queue has a greater number, also its last one before a grant. */
        @Override
        long token(TextbookSession session, String name, String node, Stat stat) throws KeeperException {
            Optional<Node> lock = session.read(lockPath(name), null);
            return lock.isPresent() ? lock.get().stat().getPzxid() : stat.getCzxid();
        }
    }

    private static final class QueuesAgain extends TextbookClaim {
        QueuesAgain(TextbookProvider provider, ClaimRequest request, ClaimSignals signals) {
            super(provider, request, signals);
        }

        @Override
        Attempt attemptIn(TextbookSession session) throws KeeperException {
            List<String> queue = provider.queue(session, name());
            Optional<String> own = own(session, queue);
            if (own.isPresent() && !own.equals(queue.stream().findFirst())) {
                boolean unused = session.delete(pathOf(own.get()));
            }
            return super.attemptIn(session);
        }
    }

    private static final class Forgetful extends TextbookClaim {
        private @Nullable String known;

        Forgetful(TextbookProvider provider, ClaimRequest request, ClaimSignals signals) {
            super(provider, request, signals);
        }

        @Override
        Optional<String> own(TextbookSession session, List<String> queue) {
            return Optional.ofNullable(known).filter(queue::contains);
        }

        @Override
        Optional<Attempt> enqueued(TextbookSession session) throws KeeperException {
            expectNode();
            known = provider.enqueue(session, request);
            return Optional.empty();
        }
    }

    private static final class OneSession extends Connection {
        OneSession(String servers) {
            super(servers);
        }

        @Override
        boolean isUsable(ZooKeeper present) {
            return true;
        }
    }

    private static final class NoWatchReset extends Connection {
        NoWatchReset(String servers) {
            super(servers);
        }

        @Override
        ZKClientConfig config() {
            ZKClientConfig config = super.config();
            config.setProperty(ZKClientConfig.DISABLE_AUTO_WATCH_RESET, "true");
            return config;
        }
    }

    private static final class DeafToEnds extends TextbookClaim {
        DeafToEnds(TextbookProvider provider, ClaimRequest request, ClaimSignals signals) {
            super(provider, request, signals);
        }

        @Override
        void seen(WatchedEvent event) {
            if (event.getType() != EventType.None) {
                signals.mayBeFree();
            }
        }
    }

    private static final class MissingIsFirst extends TextbookClaim {
        private @Nullable String known;
        private long token;

        MissingIsFirst(TextbookProvider provider, ClaimRequest request, ClaimSignals signals) {
            super(provider, request, signals);
        }

        @Override
        Optional<String> own(TextbookSession session, List<String> queue) {
            return Optional.ofNullable(known);
        }

        @Override
        Optional<Attempt> enqueued(TextbookSession session) throws KeeperException {
            expectNode();
            String node = provider.enqueue(session, request);
            token = session.read(pathOf(node), null)
                    .map(read -> read.stat().getCzxid())
                    .orElse(0L);
            known = token == 0 ? null : node;
            return Optional.empty();
        }

        /** By an index of the own node that is not above zero, which it is also for a missing one. */
        @Override
        Optional<Attempt> grant(TextbookSession session, String own) {
            remember(session, own);
            return Optional.of(new Attempt.Granted(new FencingToken(token), provider.validity(session, request)));
        }

        @Override
        void leaveQueue(TextbookSession session, String own) throws KeeperException {
            super.leaveQueue(session, own);
            known = null;
        }
    }

    private static final class KnownLocks extends TextbookProvider {
        private final Set<String> known = ConcurrentHashMap.newKeySet();

        KnownLocks(Connection connection, String root) {
            super(connection, root);
        }

        @Override
        TextbookClaim claim(ClaimRequest request, ClaimSignals signals) {
            return new TidyClaim(this, request, signals);
        }

        @Override
        String enqueue(TextbookSession session, ClaimRequest request) throws KeeperException {
            while (true) {
                try {
                    return create(session, request);
                } catch (NoNodeException missing) {
                    if (!known.add(request.name())) {
                        throw missing;
                    }
                    createParents(session, request.name());
                }
            }
        }
    }
}
