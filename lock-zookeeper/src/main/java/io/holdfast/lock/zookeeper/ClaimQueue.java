package io.holdfast.lock.zookeeper;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * The bids for one lock in the order in which they are served: the children of its node, as Curator's {@code InterProcessMutex}
 * names and orders them.
 *
 * @param nodes the names of the children that are bids, the first in line first
 */
record ClaimQueue(List<String> nodes) {

    private static final String LOCK = "lock-";
    private static final String LAST = Integer.toString(Integer.MAX_VALUE);
    private static final Pattern BID = Pattern.compile(".*lock-(-\\d+|\\d{10})");

    /** Curator compares the texts, not the numbers; both have to agree on who is first. */
    private static final Comparator<String> ORDER = Comparator.comparing(ClaimQueue::sequence);

    ClaimQueue {
        nodes = List.copyOf(nodes);
    }

    static ClaimQueue of(List<String> children) {
        return new ClaimQueue(children.stream()
                .filter(child -> BID.matcher(child).matches())
                .sorted(ORDER)
                .toList());
    }

    /** The start of the name of a new node, with an id that finds it again after a lost reply; the server adds the number. */
    static String newNode(UUID id) {
        return marked(id) + LOCK;
    }

    private static String marked(UUID id) {
        return "_c_" + id + "-";
    }

    /**
     * Whether the server's count of the children that a node has ever had has come to the largest number that it can show: from
     * there on later bids get the same number, or one that comes before earlier ones.
     */
    static boolean isPastTheEnd(String node) {
        String sequence = sequence(node);
        return sequence.startsWith("-") || sequence.equals(LAST);
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

    /** The one that a bid waits for; empty if that bid is the first. */
    Optional<String> before(String node) {
        int place = nodes.indexOf(node);
        return place <= 0 ? Optional.empty() : Optional.of(nodes.get(place - 1));
    }

    /** The node that was made with an id. */
    Optional<String> made(UUID id) {
        return nodes.stream().filter(node -> node.startsWith(marked(id))).findFirst();
    }
}
