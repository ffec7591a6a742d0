package io.holdfast.lock.redis;

import io.holdfast.lock.redis.MasterFailures.NoMasterNamed;
import io.holdfast.lock.redis.RedisFailures.Transport;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.util.Pool;

/** The sentinels of a URI, and the connections to the master that they name. Asks them at the first use. Thread-safe. */
final class Sentinels {

    private final List<HostAndPort> nodes;
    private final String name;
    private final JedisClientConfig sentinel;
    private final JedisClientConfig master;
    private final GenericObjectPoolConfig<Connection> poolConfig;
    private final RedisFailures failures;
    private final ReentrantLock mutex = new ReentrantLock();

    /** Guarded by the mutex, and read without it. */
    private volatile @Nullable Watched watched;

    /** Guarded by the mutex, and read without it. */
    private volatile @Nullable NoMasterNamed lastFailure;

    /** Guarded by the mutex. */
    private boolean closed;

    /**
     * Creates it.
     *
     * @param address the sentinels, and the name of the master
     * @param sentinel how to connect to a sentinel
     * @param master how to connect to the master
     * @param poolConfig for the connections to the master
     */
    Sentinels(
            RedisAddress address,
            JedisClientConfig sentinel,
            JedisClientConfig master,
            GenericObjectPoolConfig<Connection> poolConfig) {
        this.nodes = address.nodes();
        this.name = address.master().orElseThrow();
        this.sentinel = sentinel;
        this.master = master;
        this.poolConfig = poolConfig;
        this.failures = new RedisFailures(address.toString(), "", Transport.of(address));
    }

    private record Watched(SentinelWatch watch, Supplier<Pool<Connection>> pool) {}

    /** The connections to the present master, which belong to the caller. */
    PresentPool connections() {
        return new PresentPool(
                () -> watched().pool().get(),
                ConnectionSharing.in(poolConfig),
                () -> new Connection(watched().watch().getCurrentMaster(), master),
                this::close);
    }

    /** One caller asks the sentinels; those who wait for it meanwhile get the same failure. */
    private Watched watched() {
        Watched known = watched;
        if (known != null) {
            return known;
        }
        NoMasterNamed before = lastFailure;
        mutex.lock();
        try {
            if (watched == null) {
                NoMasterNamed failure = lastFailure;
                if (failure != null && failure != before) {
                    throw failure;
                }
                watched = watch();
            }
            return watched;
        } finally {
            mutex.unlock();
        }
    }

    private Watched watch() {
        if (closed) {
            throw new JedisException("The provider is closed");
        }
        SentinelWatch watch = new SentinelWatch(name, master, poolConfig, beginningWith(namingOne()), sentinel);
        return new Watched(watch, GivenClient.poolOfMaster(watch));
    }

    /** The first sentinel that names a master. Asked before Jedis asks, which would not tell why none does. */
    private HostAndPort namingOne() {
        List<String> reasons = new ArrayList<>();
        List<JedisException> causes = new ArrayList<>();
        for (HostAndPort node : nodes) {
            try (Jedis asked = new Jedis(node, sentinel)) {
                List<String> address = asked.sentinelGetMasterAddrByName(name);
                if (address != null) {
                    return node;
                }
                reasons.add(node + " knows no master of this name");
            } catch (JedisException failure) {
                reasons.add(node + ": " + failures.reason(failure));
                causes.add(failure);
            }
        }
        NoMasterNamed failure =
                new NoMasterNamed("no sentinel names the master '" + name + "': " + String.join("; ", reasons), causes);
        lastFailure = failure;
        throw failure;
    }

    private Set<HostAndPort> beginningWith(HostAndPort first) {
        Set<HostAndPort> all = new LinkedHashSet<>(List.of(first));
        all.addAll(nodes);
        return all;
    }

    private void close() {
        mutex.lock();
        try {
            closed = true;
            if (watched != null) {
                watched.watch().close();
            }
        } finally {
            mutex.unlock();
        }
    }
}
