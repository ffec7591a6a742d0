package io.holdfast.lock.zookeeper;

import static io.holdfast.lock.zookeeper.OwnNodes.ACQUIRE;
import static io.holdfast.lock.zookeeper.OwnNodes.RELEASE;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimRequest.Intent;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.lock.zookeeper.OwnNodes.ClaimNode;
import io.holdfast.lock.zookeeper.OwnNodes.Enqueued;
import io.holdfast.lock.zookeeper.OwnNodes.Proof;
import io.holdfast.lock.zookeeper.PredecessorWatches.Watch;
import io.holdfast.lock.zookeeper.Session.NodeContent;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One claim for one lock: a node in the lock's queue, which has the lock when it is the first. The claim knows which node is its
 * own; only the server knows which one is first.
 */
final class ZooKeeperClaim implements Claim {

    private static final Attempt CONTENDED = new Attempt.Contended(Optional.empty());

    private final ClaimRequest request;
    private final ClaimSignals signals;
    private final OwnNodes nodes;
    private final Sessions sessions;
    private final Events events;

    /** The first token of the grant; null unless granted. */
    private @Nullable FencingToken token;

    /** Set by the first renewal that reads the node. */
    private @Nullable NodeWatch watch;

    /** The session's time-out at the last grant or renewal. Read by the threads that report session losses. */
    private volatile NegotiatedTimeOut promised = NegotiatedTimeOut.NONE;

    ZooKeeperClaim(ClaimRequest request, ClaimSignals signals, OwnNodes nodes, Sessions sessions, Events events) {
        this.request = request;
        this.signals = signals;
        this.nodes = nodes;
        this.sessions = sessions;
        this.events = events;
    }

    /**
     * What signals claims between their calls.
     *
     * @param watches signals the end of a predecessor's node
     * @param losses signals the end of a session
     */
    record Events(PredecessorWatches watches, SessionLosses losses) {}

    @Override
    public Attempt attempt() {
        return attemptFor(1);
    }

    @Override
    public Attempt attemptFor(int tokens) {
        Attempt answer = new AttemptRepeater(sessions, request).attempt(this::attemptIn);
        return answer instanceof Attempt.Granted granted
                ? granted.withTokens(Math.min(tokens, granted.tokens()))
                : answer;
    }

    private Attempt attemptIn(Session session) {
        leaveFormerSession(session);
        nodes.withdrawUnconfirmed(session, ACQUIRE);
        Optional<Attempt> answer = nodes.current().flatMap(mine -> attemptWith(session, mine));
        while (answer.isEmpty()) {
            forget();
            Enqueued enqueued = nodes.create(session);
            answer = answer(session, enqueued.node(), enqueued.queue());
        }
        return answer.get();
    }

    /** The server may keep a session that the client has given up, and the claim's node in it. */
    private void leaveFormerSession(Session session) {
        if (nodes.current().filter(node -> !node.session().isSameAs(session)).isPresent()) {
            nodes.withdraw(session, ACQUIRE);
            forget();
        }
    }

    /** Attempts with the node that the claim has; empty if it is gone. */
    private Optional<Attempt> attemptWith(Session session, ClaimNode mine) {
        if (events.watches().isWaiting(signals) && isBehindAnother(session, mine)) {
            return Optional.of(CONTENDED);
        }
        Optional<ProvenNode> recent = nodes.recentlyProven();
        if (recent.isEmpty()) {
            return attemptProven(session, mine);
        }
        QueueView queue = nodes.view(session);
        return queue.has(mine) ? answer(session, recent.get(), queue) : Optional.empty();
    }

    private Optional<Attempt> attemptProven(Session session, ClaimNode mine) {
        Proof proof = nodes.prove(session, mine);
        QueueView queue = nodes.view(session);
        Optional<ProvenNode> proven = queue.has(mine) ? proof.await() : Optional.empty();
        return proven.flatMap(node -> answer(session, node, queue));
    }

    /** The watch has not fired, so this is a safety poll, which should cost the ensemble no write. */
    private boolean isBehindAnother(Session session, ClaimNode mine) {
        return nodes.queue(session, ACQUIRE)
                .predecessor(mine.name())
                .filter(predecessor -> watched(session, nodes.lock() + "/" + predecessor))
                .isPresent();
    }

    /** Grants, or sees to it that the claim is woken; empty if its node is gone. */
    private Optional<Attempt> answer(Session session, ProvenNode proven, QueueView read) {
        ClaimNode mine = proven.node();
        QueueView view = read;
        while (view.has(mine)) {
            Optional<String> predecessor = view.queue().predecessor(mine.name());
            if (predecessor.isEmpty()) {
                return proven.sufficesWith(view.offset()) ? grant(session, proven, view) : attemptProven(session, mine);
            }
            if (request.intent() == Intent.TRY_ONCE) {
                return Optional.of(leaveQueue(session, mine));
            }
            if (watched(session, nodes.lock() + "/" + predecessor.get())) {
                return Optional.of(CONTENDED);
            }
            // The predecessor has just left.
            view = nodes.view(session);
        }
        return Optional.empty();
    }

    /** A claim that does not wait deletes its node at once. If that has no known outcome, its release repeats it. */
    private Attempt leaveQueue(Session session, ClaimNode mine) {
        RequestResult<Boolean> deleted = session.delete(mine.path()).await();
        if (deleted.isOk() || deleted.isMissing()) {
            forget();
        }
        return CONTENDED;
    }

    private boolean watched(Session session, String predecessor) {
        Watch watch = events.watches().add(predecessor, signals);
        RequestResult<NodeContent> found = session.read(predecessor, watch).await();
        if (found.isOk()) {
            watch.arm(session::unwatch);
            return true;
        }
        events.watches().remove(signals);
        if (!found.isMissing()) {
            throw found.failure(ACQUIRE, request.name());
        }
        return false;
    }

    private Optional<Attempt> grant(Session session, ProvenNode proven, QueueView view) {
        ClaimNode mine = proven.node();
        FencingToken fixed = token;
        int tokens = 1;
        if (fixed == null) {
            Optional<FencingToken> first = view.fixToken(session, mine, request);
            if (first.isEmpty()) {
                return Optional.empty();
            }
            fixed = first.get();
            tokens = TokenOffset.TOKENS;
        }
        events.watches().remove(signals);
        nodes.granted();
        token = fixed;
        NegotiatedTimeOut timeOut = session.negotiated();
        // In this order: a reconnect with a shorter time-out either sees this one, or is seen by add().
        promised = timeOut;
        events.losses().add(this, mine);
        return Optional.of(new Attempt.Granted(fixed, proven.validity(timeOut)).withTokens(tokens));
    }

    @Override
    public Renewal renew() {
        Session session = sessions.connected(RenewalRound.RENEWAL, request.name());
        Renewal renewal = new RenewalRound(session).of(List.of(this)).get(0);
        if (renewal instanceof Renewal.Unknown unknown) {
            throw unknown.failure();
        }
        return renewal;
    }

    String name() {
        return request.name();
    }

    /** The watch of the node by which the claim holds the lock. */
    NodeWatch watch(ClaimNode held) {
        NodeWatch present = watch;
        if (present == null || !present.isOf(held)) {
            present = new NodeWatch(held);
            watch = present;
        }
        return present;
    }

    /** The node by which the claim holds the lock, as far as it knows. */
    Optional<ClaimNode> held() {
        return token != null ? nodes.current() : Optional.empty();
    }

    NegotiatedTimeOut promised() {
        return promised;
    }

    /** The node exists. */
    Renewal prolonged(Session session) {
        if (!session.keeps(promised)) {
            return lostWithSession();
        }
        NegotiatedTimeOut timeOut = session.negotiated();
        // In this order: see grant().
        promised = timeOut;
        return session.keeps(timeOut) ? new Renewal.Held(timeOut.validity()) : lostWithSession();
    }

    /** The node is gone. */
    Renewal.Lost lostNode() {
        forget();
        return new Renewal.Lost(LossCause.TAKEN_OVER);
    }

    /** The session is over, or its time-out is shorter than promised. */
    Renewal.Lost lostWithSession() {
        nodes.current().ifPresent(this::reportSessionLoss);
        forget();
        return new Renewal.Lost(LossCause.SESSION_ENDED);
    }

    /** Reports that the session of a node is over, or its time-out shorter than promised. Any thread may call it. */
    void reportSessionLoss(ClaimNode node) {
        // In this order: the holder has to know before anybody else can get the lock.
        ClaimNotifier.lost(signals, LossCause.SESSION_ENDED);
        nodes.giveUp(node);
    }

    private void forget() {
        nodes.forget();
        token = null;
        events.losses().remove(this);
    }

    @Override
    public Release release() {
        events.watches().remove(signals);
        events.losses().remove(this);
        if (nodes.areNone()) {
            return Release.NOT_HELD;
        }
        Session session = sessions.connected(RELEASE, request.name());
        boolean wasInForce = nodes.withdraw(session, RELEASE) && token != null;
        token = null;
        boolean unconfirmedWasFirst = nodes.withdrawUnconfirmed(session, RELEASE);
        return wasInForce || unconfirmedWasFirst ? Release.RELEASED : Release.NOT_HELD;
    }
}
