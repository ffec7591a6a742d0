package io.holdfast.lock.redis;

import io.holdfast.lock.spi.ReleaseFeed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import redis.clients.jedis.Connection;

/**
 * The messages of releases of all nodes of a quorum. A release reaches a majority, so none is missed while a majority is listened
 * to. Thread-safe.
 */
final class QuorumFeed implements ReleaseFeed, AutoCloseable {

    private final List<ReleaseMessages> feeds = new ArrayList<>();
    private final Listener listener;
    private final int majority;

    /** The nodes that are listened to, by name. Guarded by itself. */
    private final Map<String, BitSet> listening = new HashMap<>();

    QuorumFeed(Quorum quorum, KeySpace keys, Listener listener, Duration quietLimit) {
        this.listener = listener;
        this.majority = QuorumAttempt.majorityOf(quorum.size());
        for (QuorumNode node : quorum.nodes()) {
            FeedTarget target = FeedTarget.ofReleases(keys, new NodeListener(feeds.size()), quietLimit);
            feeds.add(ReleaseMessages.open(new OneOfMany(node), target));
        }
    }

    private record OneOfMany(QuorumNode node) implements SubscriptionPlace {
        @Override
        public Connection open() {
            return node.subscriptions().get();
        }

        @Override
        public String consequence() {
            return "waiters are woken by the messages of the other servers, and poll if these are no majority";
        }
    }

    @Override
    public void subscribe(String name) {
        synchronized (listening) {
            listening.putIfAbsent(name, new BitSet());
        }
        feeds.forEach(feed -> feed.subscribe(name));
    }

    @Override
    public void unsubscribe(String name) {
        synchronized (listening) {
            listening.remove(name);
        }
        feeds.forEach(feed -> feed.unsubscribe(name));
    }

    /** Notes that a node is listened to; returns whether a majority is now. */
    private boolean noteListening(int node, String name) {
        synchronized (listening) {
            BitSet nodes = listening.getOrDefault(name, new BitSet());
            nodes.set(node);
            return isMajority(nodes);
        }
    }

    /** Notes that a node is listened to no more; returns whether that ended a majority. */
    private boolean noteInterrupted(int node, String name) {
        synchronized (listening) {
            BitSet nodes = listening.getOrDefault(name, new BitSet());
            boolean before = isMajority(nodes);
            nodes.clear(node);
            return before && !isMajority(nodes);
        }
    }

    private boolean isMajority(BitSet nodes) {
        return nodes.cardinality() >= majority;
    }

    private final class NodeListener implements Listener {

        private final int node;

        private NodeListener(int node) {
            this.node = node;
        }

        @Override
        public void listening(String name) {
            if (noteListening(node, name)) {
                listener.listening(name);
            }
        }

        @Override
        public void released(String name) {
            listener.released(name);
        }

        @Override
        public void interrupted(String name) {
            if (noteInterrupted(node, name)) {
                listener.interrupted(name);
            }
        }
    }

    @Override
    public void close() {
        // All are stopped before one is waited for.
        feeds.forEach(ReleaseMessages::stop);
        feeds.forEach(ReleaseMessages::close);
    }
}
