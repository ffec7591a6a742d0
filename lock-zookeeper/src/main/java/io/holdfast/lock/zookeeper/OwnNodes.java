package io.holdfast.lock.zookeeper;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.zookeeper.Session.Made;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of one claim: the one that stands in the lock's line, and those that it may have left behind. Thread-safe: the claim is
 * called by one thread at a time, but the end of its session and the closing of the provider come in between.
 */
final class OwnNodes {

    static final String ACQUIRE = "acquire";
    static final String RELEASE = "release";

    private final ClaimRequest request;
    private final String lock;
    private final NodeCreation bids;
    private final ClaimNodes leftovers;

    // Both guarded by this, which nobody holds while the store is asked; so is whether the leftovers know of them.

    /** The ids of nodes whose making had an unknown outcome, or none as yet. */
    private final Set<UUID> strays = new HashSet<>();

    private @Nullable Place place;

    OwnNodes(ClaimRequest request, String lock, NodeCreation bids, ClaimNodes leftovers) {
        this.request = request;
        this.lock = lock;
        this.bids = bids;
        this.leftovers = leftovers;
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

    /**
     * A place that the leader has found to be held in this attempt. What a read says of it may come from a server that has been cut off,
     * while the others have ended the session long ago: a grant rests on this, which only {@link #make} and {@link #prove} yield.
     */
    static final class Standing {
        private final Place place;

        private Standing(Place place) {
            this.place = place;
        }

        Place place() {
            return place;
        }
    }

    /**
     * What came of the making of a node.
     *
     * @param standing its place
     * @param line the line behind it
     */
    record Entry(Standing standing, ClaimQueue line) {}

    /** The answer to a question to the leader that has been sent. */
    interface Proof {
        /** Waits for it; empty if the node is gone. */
        Optional<Standing> await();
    }

    /** The path of the lock, below which they are. */
    String lock() {
        return lock;
    }

    synchronized Optional<Place> place() {
        return Optional.ofNullable(place);
    }

    synchronized Set<UUID> strays() {
        return Set.copyOf(strays);
    }

    /** Whether there is nothing that the server could know of. */
    synchronized boolean areNone() {
        return place == null && strays.isEmpty();
    }

    /** Makes a node, which is the one in line from now on. */
    Entry make(Session session) {
        UUID id = UUID.randomUUID();
        expect(id);
        NodeCreation.Entry entered = bids.enter(session, lock, id, request);
        RequestResult<Made> made = entered.made();
        takeIn(id, made, session);
        Place mine = placeOf(entered.node(lock, request.name()), session);
        requireOrder(mine);
        ClaimQueue line = ClaimQueue.of(entered.line().orThrow(ACQUIRE, request.name()));
        if (!line.has(mine.node())) {
            // Whoever has removed it already means that this bid should not go on.
            forget();
            throw new LockStoreException("ZooKeeper: acquire of lock '" + request.name()
                    + "' failed: somebody has deleted the node of the bid, " + mine.path());
        }
        return new Entry(new Standing(mine), line);
    }

    /** Asks the leader whether a node is there. */
    Proof prove(Session session, Place asked) {
        Reply<Boolean> reply = session.prove(asked.path());
        return () ->
                reply.await().wasThere(ACQUIRE, request.name()) ? Optional.of(new Standing(asked)) : Optional.empty();
    }

    private synchronized void expect(UUID id) {
        if (!leftovers.add(this)) {
            throw closed();
        }
        strays.add(id);
    }

    private void takeIn(UUID id, RequestResult<Made> made, Session session) {
        synchronized (this) {
            if (made.isOk()) {
                place = placeOf(made.get(), session);
            }
            if (!made.isUnknown()) {
                stray(id);
            }
        }
        if (leftovers.takeIfClosed(this)) {
            throw closed();
        }
    }

    private LockStoreException closed() {
        return new LockStoreException(
                "ZooKeeper: acquire of lock '" + request.name() + "' failed: the provider is closed");
    }

    private Place placeOf(Made made, Session session) {
        String node = made.path().substring(lock.length() + 1);
        return new Place(made.path(), node, session, made.stat().getCzxid());
    }

    private void requireOrder(Place mine) {
        if (ClaimQueue.isPastTheEnd(mine.node())) {
            throw new LockStoreException("ZooKeeper: acquire of lock '" + request.name() + "' failed: the node " + lock
                    + " has had more children than its counter can count; it starts again when the node was deleted,"
                    + " which the server does when nobody has bid for the lock for a minute or two");
        }
    }

    private synchronized void stray(UUID found) {
        strays.remove(found);
        settle();
    }

    /** The node in line was seen to be gone. */
    synchronized void forget() {
        place = null;
        settle();
    }

    /**
     * Has a node deleted in the background that was lost with its session, or with what that was promised: the server may keep it, and
     * nobody calls a claim again that was told of its loss.
     *
     * @param former where it stood; if the claim has another place by now it keeps that
     */
    void giveUp(Place former) {
        synchronized (this) {
            if (former.equals(place)) {
                forget();
            }
        }
        leftovers.discard(former);
    }

    private synchronized void settle() {
        if (areNone()) {
            leftovers.remove(this);
        }
    }

    /** Deletes the node in line; returns whether it was still there. */
    boolean withdraw(Session session, String operation) {
        Optional<Place> mine = place();
        if (mine.isEmpty()) {
            return false;
        }
        boolean deleted = deleted(session, mine.get().path(), operation);
        forget();
        return deleted;
    }

    /**
     * Finds the nodes whose making had an unknown outcome and deletes them; returns whether one of them had the lock.
     *
     * <p>The server may be behind the leader, and not have such a node yet. So the leader is asked for something that a majority has
     * to note, and the server answers what follows from a state that is no older. A {@code sync} would not do: a leader answers it
     * by itself, for a while also one that the others have replaced. What is not there then, of what was asked for in the same
     * session, will never be: the leader takes no request from a connection that the session has left. A request of a former session may
     * still be carried out, and what it makes goes with that session.
     */
    boolean withdrawStrays(Session session, String operation) {
        Set<UUID> sought = strays();
        if (sought.isEmpty()) {
            return false;
        }
        boolean wasFirst = false;
        Reply<Boolean> proof = session.prove(lock);
        ClaimQueue line = line(session, operation);
        // Whether the lock itself is there does not matter, only that the leader has answered.
        proof.await().wasThere(operation, request.name());
        for (UUID stray : sought) {
            Optional<String> node = line.made(stray);
            if (node.isPresent()) {
                boolean first = line.first().equals(node);
                wasFirst |= deleted(session, lock + "/" + node.get(), operation) && first;
            }
            stray(stray);
        }
        return wasFirst;
    }

    private boolean deleted(Session session, String path, String operation) {
        return session.delete(path).await().wasThere(operation, request.name());
    }

    /** The line as it is now, or as it was a moment ago. */
    ClaimQueue line(Session session, String operation) {
        RequestResult<List<String>> children = session.children(lock).await();
        return children.isMissing()
                ? ClaimQueue.of(List.of())
                : ClaimQueue.of(children.orThrow(operation, request.name()));
    }
}
