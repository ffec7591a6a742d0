package io.holdfast.lock.redis;

import io.holdfast.lock.LockStoreException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** The nodes that vote on locks. Thread-safe. */
final class Quorum implements AutoCloseable {

    private static final Duration FIRST_CONTACT = Duration.ofSeconds(2);

    private final List<QuorumNode> nodes;
    private final RedlockOptions options;
    private final TokenProposals proposals = new TokenProposals(() -> System.nanoTime() / 1_000);

    Quorum(List<QuorumNode> nodes, RedlockOptions options) {
        this.nodes = List.copyOf(nodes);
        this.options = options;
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

    TokenProposals proposals() {
        return proposals;
    }

    /** Waits at the first use until each node has been reached or not, and throws if two of them are one server. */
    void requireReady(String what) {
        nodes.forEach(node -> node.connection().start());
        nodes.forEach(node -> node.connection().awaitFirstContact(FIRST_CONTACT));
        nodes.forEach(node -> node.identity().duplicate().ifPresent(duplicate -> {
            throw node.failures().of(what, duplicate);
        }));
    }

    /** A failure of too many nodes. */
    LockStoreException failure(String what, List<LockStoreException> failures) {
        String answered = "Redlock: " + what + " failed: fewer than " + QuorumAttempt.majorityOf(size()) + " of "
                + size() + " nodes have answered within " + options.timeout().toMillis() + " ms";
        LockStoreException failure = new LockStoreException(failures.stream()
                .map(Throwable::getMessage)
                .distinct()
                .collect(Collectors.joining("; ", failures.isEmpty() ? answered : answered + ": ", "")));
        failures.forEach(failure::addSuppressed);
        return failure;
    }

    @Override
    public void close() {
        // All are cut off before one is waited for.
        nodes.forEach(node -> node.connection().cutOff());
        nodes.forEach(node -> node.connection().close());
    }
}
