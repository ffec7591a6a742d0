package io.holdfast.lock.redis;

import io.holdfast.lock.LockStoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.util.Pool;

/**
 * The nodes of a cluster: which master serves which slot, and a runner for each node. Thread-safe. Replicas are asked for the map
 * of the slots alone.
 *
 * <p>Reads the map itself, as Jedis would ask one node after the other until one answers, however long that takes, and refuses a
 * map with a hole.
 */
final class ClusterNodes implements AutoCloseable {

    /** After this time no further node is asked, as a caller waits. */
    private static final Duration LONGEST_REFRESH = Duration.ofSeconds(1);

    /** A map that was read so short a time ago is as good as a new one. */
    private static final Duration FRESH = Duration.ofMillis(50);

    private final NodePools pools;
    private final Function<HostAndPort, RedisFailures> failuresOf;
    private final BiFunction<HostAndPort, Pool<Connection>, PooledScriptRunner> runnerOf;
    private final Map<HostAndPort, PooledScriptRunner> runners = new ConcurrentHashMap<>();
    private final Queue<Runnable> listeners = new ConcurrentLinkedQueue<>();
    private final ReentrantLock refreshing = new ReentrantLock();
    private @Nullable PassedTime sinceRefresh;
    private volatile @Nullable SlotMap map;

    ClusterNodes(
            NodePools pools,
            Function<HostAndPort, RedisFailures> failuresOf,
            BiFunction<HostAndPort, Pool<Connection>, PooledScriptRunner> runnerOf) {
        this.pools = pools;
        this.failuresOf = failuresOf;
        this.runnerOf = runnerOf;
    }

    /** Reads the map if it is not known yet. */
    void discover(String what) {
        if (map != null) {
            return;
        }
        List<HostAndPort> seeds = shuffled(pools.seeds());
        LockStoreException failure = null;
        for (HostAndPort seed : seeds) {
            try {
                take(read(what, seed));
                return;
            } catch (LockStoreException other) {
                if (map != null) {
                    // Another thread was faster, and has closed what led to the seed.
                    return;
                }
                if (failure != null) {
                    other.addSuppressed(failure);
                }
                failure = other;
            }
        }
        throw failure == null ? new LockStoreException("The given client knows no node of its cluster") : failure;
    }

    private SlotMap read(String what, HostAndPort node) {
        return runner(node).borrowed(what, connection -> SlotMap.read(connection, node));
    }

    private void take(SlotMap fresh) {
        map = fresh;
        runners.keySet().retainAll(fresh.nodes());
        pools.retain(fresh.nodes());
        listeners.forEach(Runnable::run);
    }

    /**
     * Reads the map again, unless another thread does or has just done so. What fails shows when the map is used.
     *
     * @param first the node to ask first, if an answer named one
     * @param last the node to ask last, as it failed
     */
    void refresh(@Nullable HostAndPort first, @Nullable HostAndPort last) {
        if (!refreshing.tryLock()) {
            return;
        }
        try {
            PassedTime passed = new PassedTime();
            if (sinceRefresh != null && sinceRefresh.isLessThan(FRESH)) {
                return;
            }
            for (HostAndPort node : candidates(first, last)) {
                if (!passed.isLessThan(LONGEST_REFRESH) || asked(node)) {
                    break;
                }
            }
            sinceRefresh = new PassedTime();
        } finally {
            refreshing.unlock();
        }
    }

    private boolean asked(HostAndPort node) {
        try {
            take(read("the question for its slots", node));
            return true;
        } catch (LockStoreException other) {
            return false;
        }
    }

    private List<HostAndPort> candidates(@Nullable HostAndPort first, @Nullable HostAndPort last) {
        SlotMap known = map;
        List<HostAndPort> all = known == null ? new ArrayList<>() : shuffled(known.nodes());
        // Host names may lead to nodes that have replaced all the known ones.
        pools.seeds().stream().filter(seed -> !all.contains(seed)).forEach(all::add);
        if (all.remove(last)) {
            all.add(last);
        }
        if (first != null) {
            all.remove(first);
            all.add(0, first);
        }
        return all;
    }

    private static List<HostAndPort> shuffled(Set<HostAndPort> nodes) {
        List<HostAndPort> all = new ArrayList<>(nodes);
        Collections.shuffle(all);
        return all;
    }

    /** The master of a slot; without one any node, which will say so. */
    HostAndPort master(int slot) {
        SlotMap known = map;
        return Optional.ofNullable(known)
                .flatMap(each -> each.master(slot))
                .orElseGet(() -> (known == null ? pools.seeds() : known.nodes())
                        .iterator()
                        .next());
    }

    /** Whether a node is a master with slots, as far as is known. */
    boolean isMaster(HostAndPort node) {
        SlotMap known = map;
        return known != null && known.masters().contains(node);
    }

    PooledScriptRunner runner(HostAndPort node) {
        Pool<Connection> pool;
        try {
            pool = pools.of(node);
        } catch (JedisException failure) {
            // A given client connects to make the pool of a node.
            throw failuresOf.apply(node).of("the first connection to a node", failure);
        }
        return runners.compute(
                node, (each, known) -> known != null && known.isOver(pool) ? known : runnerOf.apply(each, pool));
    }

    Connection subscription(HostAndPort node) {
        return pools.subscription(node);
    }

    /** Calls a listener after each new map. It does no I/O. */
    void listen(Runnable listener) {
        listeners.add(listener);
    }

    @Override
    public void close() {
        pools.close();
    }
}
