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
import io.holdfast.lock.zookeeper.OwnNodes.Place;
import io.holdfast.lock.zookeeper.PredecessorWatches.Watch;
import io.holdfast.lock.zookeeper.Session.Node;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One contender's bid for one lock: a node in the lock's line, which has the lock when it is the first. It knows which node is its
 * own; who is first, only the server knows.
 */
final class ZooKeeperClaim implements Claim {

    private static final Attempt CONTENDED = new Attempt.Contended(Optional.empty());

    private final ZooKeeperLockProvider provider;
    private final ClaimRequest request;
    private final ClaimSignals signals;
    private final OwnNodes nodes;

    private boolean granted;

    ZooKeeperClaim(ZooKeeperLockProvider provider, ClaimRequest request, ClaimSignals signals) {
        this.provider = provider;
        this.request = request;
        this.signals = signals;
        this.nodes = new OwnNodes(provider, request);
    }

    @Override
    public Attempt attempt() {
        Session session = provider.sessions().connected(ACQUIRE, request.name());
        leaveFormerSession(session);
        nodes.withdrawStrays(session, ACQUIRE);
        Optional<Place> place = nodes.place();
        if (place.isEmpty()) {
            return enter(session);
        }
        Place mine = place.get();
        // A watch that has not fired says that this is only a look after it: the wait should cost the ensemble no
        // write.
        Reply<Boolean> proof = isWatching() ? null : session.prove(mine.path());
        Line line = nodes.line(session, ACQUIRE);
        return line.has(mine.node()) ? bid(session, mine, line, proof) : enterAnew(session);
    }

    private boolean isWatching() {
        return provider.watches().isWaiting(signals);
    }

    /** The server may keep a session for a while that the client has given up, and with it a node that nobody stands for. */
    private void leaveFormerSession(Session session) {
        if (nodes.place().filter(place -> !place.session().isSameAs(session)).isPresent()) {
            nodes.withdraw(session, ACQUIRE);
            forget();
        }
    }

    private Attempt enterAnew(Session session) {
        forget();
        return enter(session);
    }

    private Attempt enter(Session session) {
        Line line = nodes.make(session);
        return firstOrWatching(session, nodes.place().orElseThrow(), line, true);
    }

    private Attempt bid(Session session, Place mine, Line line, @Nullable Reply<Boolean> proof) {
        boolean proven = proof != null && exists(proof.await());
        if (proof != null && !proven) {
            return enterAnew(session);
        }
        return firstOrWatching(session, mine, line, proven);
    }

    /**
     * Grants, or sees that the claim is woken.
     *
     * @param proven whether the leader has found the node in this attempt: the line is only a read, which may come from a
     *     server that has been cut off, while the others have ended the session long ago
     */
    private Attempt firstOrWatching(Session session, Place mine, Line first, boolean proven) {
        Line line = first;
        while (true) {
            Optional<String> before = line.before(mine.node());
            if (before.isEmpty()) {
                return proven || exists(session.prove(mine.path()).await()) ? grant(session, mine) : enterAnew(session);
            }
            if (request.intent() == Intent.TRY_ONCE) {
                return turnAway(session, mine);
            }
            if (watched(session, nodes.lock() + "/" + before.get())) {
                return CONTENDED;
            }
            // It has just left.
            line = nodes.line(session, ACQUIRE);
            if (!line.has(mine.node())) {
                return enterAnew(session);
            }
        }
    }

    /** A bid that does not wait leaves the line at once. If that is not certain, its release will see to it. */
    private Attempt turnAway(Session session, Place mine) {
        Answer<Boolean> deleted = session.delete(mine.path()).await();
        if (deleted.isOk() || deleted.isMissing()) {
            forget();
        }
        return CONTENDED;
    }

    private boolean watched(Session session, String predecessor) {
        Watch watch = provider.watches().add(predecessor, signals);
        Answer<Node> found = session.read(predecessor, watch).await();
        if (found.isOk()) {
            watch.arm();
            return true;
        }
        provider.watches().remove(signals);
        if (!found.isMissing()) {
            throw found.failure(ACQUIRE, request.name());
        }
        return false;
    }

    private Attempt grant(Session session, Place mine) {
        provider.watches().remove(signals);
        granted = true;
        provider.losses().add(this, mine);
        return new Attempt.Granted(new FencingToken(mine.czxid()), session.validity());
    }

    private boolean exists(Answer<Boolean> proof) {
        if (!proof.isOk() && !proof.isMissing()) {
            throw proof.failure(ACQUIRE, request.name());
        }
        return proof.isOk();
    }

    @Override
    public Renewal renew() {
        Renewal renewal = provider.renewAll(List.of(this)).get(0);
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

    /** The node was seen to be gone. */
    Renewal.Lost lostNode() {
        forget();
        return new Renewal.Lost(LossCause.TAKEN_OVER);
    }

    /** The session was seen to be over. */
    Renewal.Lost lostWithSession() {
        nodes.place().ifPresent(nodes::giveUp);
        forget();
        return new Renewal.Lost(LossCause.SESSION_ENDED);
    }

    /** Brings the news that the session of a place is over. Any thread may call. */
    void tellSessionIsOver(Place place) {
        nodes.giveUp(place);
        Herald.lost(signals, LossCause.SESSION_ENDED);
    }

    private void forget() {
        nodes.forget();
        granted = false;
        provider.losses().remove(this);
    }

    @Override
    public Release release() {
        provider.watches().remove(signals);
        provider.losses().remove(this);
        if (nodes.areNone()) {
            return Release.NOT_HELD;
        }
        Session session = provider.sessions().connected(RELEASE, request.name());
        boolean wasInForce = nodes.withdraw(session, RELEASE) && granted;
        granted = false;
        boolean strayWasFirst = nodes.withdrawStrays(session, RELEASE);
        return wasInForce || strayWasFirst ? Release.RELEASED : Release.NOT_HELD;
    }
}
