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
import io.holdfast.lock.zookeeper.OwnNodes.Entry;
import io.holdfast.lock.zookeeper.OwnNodes.Place;
import io.holdfast.lock.zookeeper.OwnNodes.Proof;
import io.holdfast.lock.zookeeper.OwnNodes.Standing;
import io.holdfast.lock.zookeeper.PredecessorWatches.Watch;
import io.holdfast.lock.zookeeper.Session.Node;
import java.util.List;
import java.util.Optional;

/**
 * One contender's bid for one lock: a node in the lock's line, which has the lock when it is the first. It knows which node is its
 * own; who is first, only the server knows.
 */
final class ZooKeeperClaim implements Claim {

    private static final Attempt CONTENDED = new Attempt.Contended(Optional.empty());

    private final ClaimRequest request;
    private final ClaimSignals signals;
    private final OwnNodes nodes;
    private final Sessions sessions;
    private final News news;

    private boolean granted;

    /** What the holder was told last to count on; those who bring news of its end look at it, too. */
    private volatile NegotiatedTimeOut promised = NegotiatedTimeOut.NONE;

    ZooKeeperClaim(ClaimRequest request, ClaimSignals signals, OwnNodes nodes, Sessions sessions, News news) {
        this.request = request;
        this.signals = signals;
        this.nodes = nodes;
        this.sessions = sessions;
        this.news = news;
    }

    /**
     * What claims are told between their calls.
     *
     * @param watches of the ends of the bids before theirs
     * @param losses of the ends of their sessions
     */
    record News(PredecessorWatches watches, Losses losses) {}

    @Override
    public Attempt attempt() {
        return new AttemptRepeater(sessions, request).bid(this::bid);
    }

    private Attempt bid(Session session) {
        leaveFormerSession(session);
        nodes.withdrawStrays(session, ACQUIRE);
        Optional<Attempt> answer = nodes.place().flatMap(mine -> bidAgain(session, mine));
        while (answer.isEmpty()) {
            forget();
            Entry entry = nodes.make(session);
            answer = answer(session, entry.standing().place(), entry.line(), Optional.of(entry.standing()));
        }
        return answer.get();
    }

    /** The server may keep a session for a while that the client has given up, and with it a node that nobody stands for. */
    private void leaveFormerSession(Session session) {
        if (nodes.place().filter(place -> !place.session().isSameAs(session)).isPresent()) {
            nodes.withdraw(session, ACQUIRE);
            forget();
        }
    }

    /** NodeCreation with the node that there is; empty if it is gone. */
    private Optional<Attempt> bidAgain(Session session, Place mine) {
        if (news.watches().isWaiting(signals)) {
            // A watch that has not fired says that this is only a look after it: the wait should cost the ensemble no
            // write.
            return answer(session, mine, nodes.line(session, ACQUIRE), Optional.empty());
        }
        Proof proof = nodes.prove(session, mine);
        ClaimQueue line = nodes.line(session, ACQUIRE);
        Optional<Standing> standing = line.has(mine.node()) ? proof.await() : Optional.empty();
        return standing.flatMap(proven -> answer(session, mine, line, standing));
    }

    /** Grants, or sees that the claim is woken; empty if its node is gone. */
    private Optional<Attempt> answer(Session session, Place mine, ClaimQueue first, Optional<Standing> known) {
        ClaimQueue line = first;
        while (line.has(mine.node())) {
            Optional<String> before = line.before(mine.node());
            if (before.isEmpty()) {
                Optional<Standing> standing =
                        known.isPresent() ? known : nodes.prove(session, mine).await();
                return standing.map(proven -> grant(session, proven));
            }
            if (request.intent() == Intent.TRY_ONCE) {
                return Optional.of(turnAway(session, mine));
            }
            if (watched(session, nodes.lock() + "/" + before.get())) {
                return Optional.of(CONTENDED);
            }
            // It has just left.
            line = nodes.line(session, ACQUIRE);
        }
        return Optional.empty();
    }

    /** A bid that does not wait leaves the line at once. If that is not certain, its release will see to it. */
    private Attempt turnAway(Session session, Place mine) {
        RequestResult<Boolean> deleted = session.delete(mine.path()).await();
        if (deleted.isOk() || deleted.isMissing()) {
            forget();
        }
        return CONTENDED;
    }

    private boolean watched(Session session, String predecessor) {
        Watch watch = news.watches().add(predecessor, signals);
        RequestResult<Node> found = session.read(predecessor, watch).await();
        if (found.isOk()) {
            watch.arm(session::unwatch);
            return true;
        }
        news.watches().remove(signals);
        if (!found.isMissing()) {
            throw found.failure(ACQUIRE, request.name());
        }
        return false;
    }

    private Attempt grant(Session session, Standing standing) {
        Place mine = standing.place();
        news.watches().remove(signals);
        granted = true;
        NegotiatedTimeOut term = session.term();
        // In this order: a reconnect that breaks the promise finds it, or is found when the claim is taken in.
        promised = term;
        news.losses().add(this, mine);
        return new Attempt.Granted(new FencingToken(mine.czxid()), term.validity());
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

    /** Where the claim is in force, as far as it knows. */
    Optional<Place> held() {
        return granted ? nodes.place() : Optional.empty();
    }

    NegotiatedTimeOut promised() {
        return promised;
    }

    /** The node was seen to be there. */
    Renewal prolonged(Session session) {
        if (!session.keeps(promised)) {
            return lostWithSession();
        }
        NegotiatedTimeOut term = session.term();
        // In this order: see the grant.
        promised = term;
        return session.keeps(term) ? new Renewal.Held(term.validity()) : lostWithSession();
    }

    /** The node was seen to be gone. */
    Renewal.Lost lostNode() {
        forget();
        return new Renewal.Lost(LossCause.TAKEN_OVER);
    }

    /** The session was seen to be over, or not to be what was promised. */
    Renewal.Lost lostWithSession() {
        nodes.place().ifPresent(this::tellSessionFails);
        forget();
        return new Renewal.Lost(LossCause.SESSION_ENDED);
    }

    /** Brings the news that the session of a place is over, or not what was promised. Any thread may call. */
    void tellSessionFails(Place place) {
        // In this order: nobody else may get the lock before its holder knows.
        ClaimNotifier.lost(signals, LossCause.SESSION_ENDED);
        nodes.giveUp(place);
    }

    private void forget() {
        nodes.forget();
        granted = false;
        news.losses().remove(this);
    }

    @Override
    public Release release() {
        news.watches().remove(signals);
        news.losses().remove(this);
        if (nodes.areNone()) {
            return Release.NOT_HELD;
        }
        Session session = sessions.connected(RELEASE, request.name());
        boolean wasInForce = nodes.withdraw(session, RELEASE) && granted;
        granted = false;
        boolean strayWasFirst = nodes.withdrawStrays(session, RELEASE);
        return wasInForce || strayWasFirst ? Release.RELEASED : Release.NOT_HELD;
    }
}
