package io.holdfast.lock.redis;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.util.JedisClusterCRC16;

/**
 * The messages of releases in a cluster: one {@link ReleaseMessages} for each master that serves a subscribed name. When the map
 * of the slots changes, the names go to the feeds of their new masters.
 */
final class ClusterReleases implements RedisFeed {

    private final ClusterNodes nodes;
    private final FeedTarget target;

    // Guarded by the monitor. Its holder may take that of a feed, never the other way round.
    private final Map<HostAndPort, ReleaseMessages> feeds = new HashMap<>();
    private final Map<String, ReleaseMessages> places = new HashMap<>();
    private final List<ReleaseMessages> retired = new ArrayList<>();
    private boolean closed;

    ClusterReleases(ClusterNodes nodes, FeedTarget target) {
        this.nodes = nodes;
        this.target = target;
        nodes.listen(this::rearrange);
    }

    /** The place of the feed of one master. */
    private final class Master implements SubscriptionPlace {
        private final HostAndPort node;

        private Master(HostAndPort node) {
            this.node = node;
        }

        @Override
        public Connection open() {
            return nodes.subscription(node);
        }

        @Override
        public Requests.Kind kind() {
            return Requests.Kind.SHARDED;
        }

        @Override
        public void changed(@Nullable HostAndPort target) {
            nodes.refresh(target, node);
        }
    }

    @Override
    public boolean reachesRefusedClaimsOnly() {
        return target.reach() == FeedTarget.Reach.NEXT;
    }

    @Override
    public synchronized void subscribe(String name) {
        if (!closed) {
            move(name, masterOf(name));
        }
    }

    private HostAndPort masterOf(String name) {
        return nodes.master(
                JedisClusterCRC16.getSlot(ScriptCall.bytes(target.keys().lockKey(name))));
    }

    private void move(String name, HostAndPort to) {
        ReleaseMessages feed = feeds.computeIfAbsent(to, node -> ReleaseMessages.open(new Master(node), target));
        ReleaseMessages before = places.put(name, feed);
        if (before != null && before != feed) {
            before.unsubscribe(name);
        }
        feed.subscribe(name);
    }

    @Override
    public synchronized void unsubscribe(String name) {
        ReleaseMessages feed = places.remove(name);
        if (feed != null) {
            feed.unsubscribe(name);
        }
    }

    private synchronized void rearrange() {
        if (closed) {
            return;
        }
        for (String name : List.copyOf(places.keySet())) {
            move(name, masterOf(name));
        }
        retired.removeIf(ReleaseMessages::isOver);
        feeds.entrySet().removeIf(each -> {
            boolean unused = !nodes.isMaster(each.getKey()) && !places.containsValue(each.getValue());
            if (unused) {
                each.getValue().stop();
                retired.add(each.getValue());
            }
            return unused;
        });
    }

    @Override
    public void close() {
        List<ReleaseMessages> all;
        synchronized (this) {
            closed = true;
            all = new ArrayList<>(feeds.values());
            all.addAll(retired);
        }
        all.forEach(ReleaseMessages::stop);
        all.forEach(ReleaseMessages::close);
    }
}
