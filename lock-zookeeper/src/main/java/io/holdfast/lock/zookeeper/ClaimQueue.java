package io.holdfast.lock.zookeeper;

import io.holdfast.lock.zookeeper.Session.Children;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * The claims for one lock in their order: the children of its node, as Curator's {@code InterProcessMutex} names and orders them.
 *
 * @param nodes the names of the children that are claims, in order
 */
record ClaimQueue(List<String> nodes) {

    private static final String LOCK = "lock-";
    private static final String LAST = Integer.toString(Integer.MAX_VALUE);
    private static final Pattern CLAIM = Pattern.compile(".*lock-(-\\d+|\\d{10})");

    /** Curator compares the texts, not the numbers, and both have to agree on the order. */
    private static final Comparator<String> ORDER = Comparator.comparing(ClaimQueue::sequence);

    ClaimQueue {
        nodes = List.copyOf(nodes);
    }

    static ClaimQueue of(List<String> children) {
        return new ClaimQueue(children.stream()
                .filter(child -> CLAIM.matcher(child).matches())
                .sorted(ORDER)
                .toList());
    }

    /** The queue below a node that was asked for its children; empty if the node is missing. */
    static ClaimQueue of(RequestResult<Children> answer, String operation, String lockName) {
        return of(
                answer.isMissing()
                        ? List.of()
                        : answer.orThrow(operation, lockName).names());
    }

    /** The start of a new node's name, with an id to find it by after a lost reply; the server appends the number. */
    static String newNode(UUID id) {
        return marked(id) + LOCK;
    }

    private static String marked(UUID id) {
        return "_c_" + id + "-";
    }

    /**
     * Whether the server's counter of children has reached its largest number: later nodes get the same number again, or one that
     * sorts before earlier ones.
     */
    static boolean isPastTheEnd(String node) {
        String sequence = sequence(node);
        return sequence.startsWith("-") || sequence.equals(LAST);
    }

    /** The number of a node that is not {@linkplain #isPastTheEnd past the end}. */
    static int number(String node) {
        return Integer.parseInt(sequence(node));
    }

    private static String sequence(String node) {
        return node.substring(node.lastIndexOf(LOCK) + LOCK.length());
    }

    Optional<String> first() {
        return nodes.stream().findFirst();
    }

    boolean has(String node) {
        return nodes.contains(node);
    }

    /** The node before a node; empty if that one is the first. */
    Optional<String> predecessor(String node) {
        int position = nodes.indexOf(node);
        return position <= 0 ? Optional.empty() : Optional.of(nodes.get(position - 1));
    }

    /** The node that was created with an id. */
    Optional<String> nodeWith(UUID id) {
        return nodes.stream().filter(node -> node.startsWith(marked(id))).findFirst();
    }
}
