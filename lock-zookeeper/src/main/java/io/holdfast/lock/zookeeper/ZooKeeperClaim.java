package io.holdfast.lock.zookeeper;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimRequest.Intent;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.lock.zookeeper.PredecessorWatches.Watch;
import io.holdfast.lock.zookeeper.Session.Node;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One contender's bid for one lock: a node in the lock's line, which has the lock when it is the first. It knows which node is its
 * own, and which ones it may have left behind; who is first, only the server knows.
 */
final class ZooKeeperClaim implements Claim {

    private static final String ACQUIRE = "acquire";
    private static final String RELEASE = "release";
    private static final Attempt CONTENDED = new Attempt.Contended(Optional.empty());

    private final ZooKeeperLockProvider provider;
    private final ClaimRequest request;
    private final ClaimSignals signals;
    private final String lock;

    /** The ids of nodes whose making had an unknown outcome. */
    private final Set<UUID> strays = new HashSet<>();

    /** Also read by the thread that tells of the end of a session. */
    private volatile @Nullable Place place;

    private boolean granted;

    ZooKeeperClaim(ZooKeeperLockProvider provider, ClaimRequest request, ClaimSignals signals) {
        this.provider = provider;
        this.request = request;
        this.signals = signals;
        this.lock = provider.paths().lock(request.name());
    }

    /**
     * A place in the line.
     *
     * @param path the node's path
     * @param node its name
     * @param session the session that it lives as long as
     * @param czxid the transaction that made it: its place among all changes that the ensemble has ever made
     */
    record Place(String path, String node, Session session, long czxid) {}

    @Override
    public Attempt attempt() {
        Session session = provider.sessions().connected(ACQUIRE, request.name());
        leaveFormerSession(session);
        withdrawStrays(session);
        Place mine = place;
        if (mine == null) {
            return enter(session);
        }
        // A watch that has not fired says that this is only a look after it: the wait should cost the ensemble no
        // write.
        Reply<Boolean> proof = isWatching() ? null : session.prove(mine.path());
        Line line = line(session, ACQUIRE);
        return line.has(mine.node()) ? bid(session, mine, line, proof) : enterAnew(session);
    }

    private boolean isWatching() {
        return provider.watches().isWaiting(signals);
    }

    /** The former session's nodes are gone, or go as soon as the server ends it; only a release still cares for them. */
    private void leaveFormerSession(Session session) {
        Place former = place;
        if (former != null && former.session().id() != session.id()) {
            forget();
        }
    }

    private Attempt enterAnew(Session session) {
        forget();
        return enter(session);
    }

    private Attempt enter(Session session) {
        UUID id = UUID.randomUUID();
        strays.add(id);
        Bids.Entry entry = provider.bids().enter(session, lock, id, HolderRecord.of(request));
        if (!entry.made().isUnknown()) {
            strays.remove(id);
        }
        Session.Made made = entry.made().orThrow(ACQUIRE, request.name());
        Place mine = new Place(
                made.path(),
                made.path().substring(lock.length() + 1),
                session,
                made.stat().getCzxid());
        place = mine;
        if (Line.isPastTheEnd(mine.node())) {
            throw new LockStoreException("ZooKeeper: acquire of lock '" + request.name() + "' failed: the node " + lock
                    + " has had more children than its counter can count; it starts again when the node was deleted, which the"
                    + " server does when nobody has bid for the lock for a minute or two");
        }
        Line line = Line.of(entry.line().orThrow(ACQUIRE, request.name()));
        if (!line.has(mine.node())) {
            // Somebody has removed it already, and whoever does that means that this bid should not go on.
            forget();
            throw new LockStoreException("ZooKeeper: acquire of lock '" + request.name()
                    + "' failed: somebody has deleted the" + " node of the bid, " + mine.path());
        }
        return firstOrWatching(session, mine, line, true);
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
            if (isWatched(session, lock + "/" + before.get())) {
                return CONTENDED;
            }
            // It has just left.
            line = line(session, ACQUIRE);
            if (!line.has(mine.node())) {
                return enterAnew(session);
            }
        }
    }

    /** A bid that does not wait leaves the line at once, not only with its release. */
    private Attempt turnAway(Session session, Place mine) {
        Answer<Boolean> deleted = session.delete(mine.path()).await();
        if (deleted.isOk() || deleted.isMissing()) {
            forget();
        }
        return CONTENDED;
    }

    private boolean isWatched(Session session, String predecessor) {
        Watch watch = provider.watches().add(predecessor, signals);
        Answer<Node> found = session.read(predecessor, watch).await();
        if (found.isOk()) {
            watch.isArmed();
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
        provider.losses().add(this);
        return new Attempt.Granted(new FencingToken(mine.czxid()), session.validity());
    }

    private boolean exists(Answer<Boolean> proof) {
        if (!proof.isOk() && !proof.isMissing()) {
            throw proof.failure(ACQUIRE, request.name());
        }
        return proof.isOk();
    }

    private Line line(Session session, String operation) {
        Answer<List<String>> children = session.children(lock).await();
        return children.isMissing() ? Line.of(List.of()) : Line.of(children.orThrow(operation, request.name()));
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
        return granted ? Optional.ofNullable(place) : Optional.empty();
    }

    /** The node was seen to be gone. */
    Renewal.Lost lost(LossCause cause) {
        forget();
        return new Renewal.Lost(cause);
    }

    /** Tells of the loss if the session that the claim was granted in is over. */
    void tellIfSessionIsOver() {
        Place mine = place;
        if (mine != null && mine.session().isOver()) {
            signals.lost(LossCause.SESSION_ENDED);
        }
    }

    private void forget() {
        place = null;
        granted = false;
        provider.losses().remove(this);
    }

    @Override
    public Release release() {
        provider.watches().remove(signals);
        provider.losses().remove(this);
        Place mine = place;
        if (mine == null && strays.isEmpty()) {
            return Release.NOT_HELD;
        }
        Session session = provider.sessions().connected(RELEASE, request.name());
        boolean wasInForce = mine != null && isDeleted(session, mine.path()) && granted;
        forget();
        boolean strayWasFirst = withdrawStrays(session);
        return wasInForce || strayWasFirst ? Release.RELEASED : Release.NOT_HELD;
    }

    private boolean isDeleted(Session session, String path) {
        Answer<Boolean> answer = session.delete(path).await();
        if (!answer.isOk() && !answer.isMissing()) {
            throw answer.failure(RELEASE, request.name());
        }
        return answer.isOk();
    }

    /** Finds the nodes whose making had an unknown outcome and deletes them; returns whether one of them had the lock. */
    private boolean withdrawStrays(Session session) {
        boolean wasFirst = false;
        for (UUID stray : Set.copyOf(strays)) {
            Line line = line(session, RELEASE);
            Optional<String> node = line.made(stray);
            if (node.isPresent()) {
                boolean first = line.first().equals(node);
                wasFirst |= isDeleted(session, lock + "/" + node.get()) && first;
                strays.remove(stray);
            }
        }
        return wasFirst;
    }
}
