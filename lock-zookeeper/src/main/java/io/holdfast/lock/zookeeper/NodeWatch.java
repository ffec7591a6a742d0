package io.holdfast.lock.zookeeper;

import io.holdfast.lock.zookeeper.OwnNodes.ClaimNode;
import io.holdfast.lock.zookeeper.Session.NodeContent;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.Supplier;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;

/**
 * Watches the node of a claim that holds its lock, so that renewals need not read it. The claim calls it; events come on the
 * client's own thread.
 *
 * <p><b>A quiet watch proves, together with an answer of the leader, that the node exists.</b> A server sends the event of a
 * change before the answer to any request that was carried out after the change, on the same connection, and the client hands
 * both on in that order. So if an answer to {@link Session#prove} is here, and the watch was set before that was sent and is
 * quiet, the node was there when the leader answered.
 *
 * <p>Each event ends that: of the node, also one that leaves it there, as it uses the watch up; and of the connection. The client
 * sets its watches again on its next connection, unless its configuration says otherwise, but nothing here relies on it. When a
 * connection has ended, the client reports to all its watches the end, or the beginning of the next one, before it hands on any
 * answer of that.
 *
 * <p>It is removed by the deletion of the node, or with the session.
 */
final class NodeWatch implements Watcher {

    private static final AtomicIntegerFieldUpdater<NodeWatch> EVENTS =
            AtomicIntegerFieldUpdater.newUpdater(NodeWatch.class, "events");

    private static final int NEVER = -1;

    private final ClaimNode node;
    private volatile int events;

    /** The number of events before the read that set the watch. */
    private int quietAt = NEVER;

    NodeWatch(ClaimNode node) {
        this.node = node;
    }

    boolean isOf(ClaimNode other) {
        return node.equals(other);
    }

    /** Whether it is set, and nothing has happened since. */
    boolean isQuiet() {
        return quietAt == events;
    }

    /** Reads the node, and sets the watch if it exists. Returns at once; what it returns waits for the answer. */
    Supplier<RequestResult<NodeContent>> set() {
        // In this order: an event that comes before the answer counts. One of a former read may be among them.
        int before = events;
        Reply<NodeContent> reply = node.session().read(node.path(), this);
        return () -> {
            RequestResult<NodeContent> answer = reply.await();
            quietAt = answer.isOk() ? before : NEVER;
            return answer;
        };
    }

    @Override
    public void process(WatchedEvent event) {
        int unused = EVENTS.incrementAndGet(this);
    }
}
