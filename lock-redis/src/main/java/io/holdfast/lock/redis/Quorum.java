package io.holdfast.lock.redis;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.redis.QuorumNode.Place;
import io.holdfast.lock.spi.ClaimSignals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/** The nodes that vote on locks: the servers, as messages and pages call them. Thread-safe. */
final class Quorum implements AutoCloseable {

    private static final Duration FIRST_CONTACT = Duration.ofSeconds(2);

    private final List<QuorumNode> nodes;
    private final RedlockOptions options;
    private volatile boolean closed;
    private volatile boolean contacted;
    private final TokenProposals proposals = new TokenProposals(micros(new PassedTime()));

    /** Of the claims that hold a lock. */
    private final Set<ClaimSignals> granted;

    private Quorum(List<QuorumNode> nodes, RedlockOptions options, Set<ClaimSignals> granted) {
        this.nodes = nodes;
        this.options = options;
        this.granted = granted;
    }

    /** Makes a quorum of the nodes at these places, without I/O. */
    static Quorum of(List<Place> places, RedlockOptions options) {
        ConcurrentHashMap<String, NodeIdentity> nodesByRunId = new ConcurrentHashMap<>();
        Set<ClaimSignals> granted = ConcurrentHashMap.newKeySet();
        // A node whose clock was set has perhaps ended leases too early: whether a majority still has the claims is
        // known after a renewal.
        Runnable clockSet = () -> granted.forEach(ClaimSignals::mayEndSooner);
        return new Quorum(
                places.stream()
                        .map(place -> QuorumNode.at(place, options, nodesByRunId, clockSet))
                        .toList(),
                options,
                granted);
    }

    private static LongSupplier micros(PassedTime clock) {
        return () -> clock.time().toNanos() / 1_000;
    }

    int size() {
        return nodes.size();
    }

    List<QuorumNode> nodes() {
        return nodes;
    }

    RedlockOptions options() {
        return options;
    }

    /** The signals of the claims that hold a lock. Thread-safe. */
    Set<ClaimSignals> granted() {
        return granted;
    }

    TokenProposals proposals() {
        return proposals;
    }

    /** Waits at the first use until each node has been reached or not, and throws if two of them are one server. */
    void requireReady(String what) {
        if (!contacted) {
            PassedTime waited = new PassedTime();
            nodes.forEach(node -> node.connection().start());
            nodes.forEach(node -> node.connection().awaitFirstContact(waited.leftOf(FIRST_CONTACT)));
            contacted = true;
        }
        nodes.forEach(node -> node.identity().duplicate().ifPresent(duplicate -> {
            throw node.failures().of(what, duplicate);
        }));
    }

    /** Too few nodes have answered. */
    LockStoreException failure(String what, List<LockStoreException> failures) {
        List<LockStoreException> reasons = new ArrayList<>(failures);
        for (QuorumNode node : nodes) {
            Optional.ofNullable(node.connection().whySilent())
                    .map(node.failures()::ofNode)
                    .ifPresent(reasons::add);
        }
        String all = reasons.stream().map(Throwable::getMessage).distinct().collect(Collectors.joining("; "));
        LockStoreException failure = new LockStoreException("Redlock: " + what + " failed: fewer than "
                + QuorumAttempt.majorityOf(size()) + " of " + size() + " servers have answered: " + all);
        reasons.forEach(failure::addSuppressed);
        return failure;
    }

    /** Fails if the quorum was closed: a node that is still known to have granted a claim cannot be asked any more. */
    void requireOpen(String what) {
        if (closed) {
            throw new LockStoreException("Redlock: " + what + " failed: the provider is closed");
        }
    }

    @Override
    public void close() {
        closed = true;
        // All are cut off before one is waited for.
        nodes.forEach(node -> node.connection().cutOff());
        nodes.forEach(node -> node.connection().close());
    }
}
