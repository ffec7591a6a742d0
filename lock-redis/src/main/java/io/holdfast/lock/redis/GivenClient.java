package io.holdfast.lock.redis;

import io.holdfast.lock.LockConfigurationException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.reflect.Field;
import java.util.Optional;
import java.util.function.Supplier;
import redis.clients.jedis.Connection;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.providers.ClusterConnectionProvider;
import redis.clients.jedis.providers.SentineledConnectionProvider;
import redis.clients.jedis.util.Pool;

/**
 * The connections of a client of the application. {@code JedisPooled} and {@code JedisSentineled} are in Jedis 6 and 7, {@code
 * JedisCluster} in all, {@code RedisClient}, {@code RedisSentinelClient} and {@code RedisClusterClient} in Jedis 7.2 and later.
 * No type that all versions have gives a pool, so this uses reflection.
 */
final class GivenClient {

    /** One for calls, and one to subscribe on. */
    private static final int LEAST_NEEDED = 2;

    private static final Logger LOG = System.getLogger("io.holdfast.lock");

    private GivenClient() {}

    /** Makes the runners over a client, which stays open. Refuses a client of another kind at once. */
    static Supplier<ScriptRunner> runner(UnifiedJedis client, ClientUse use) {
        Object provider = value(field(UnifiedJedis.class, "provider"), client);
        if (provider instanceof SentineledConnectionProvider sentinels) {
            Supplier<Pool<Connection>> pools = poolOfMaster(sentinels);
            return () -> ofMaster(pools, use);
        }
        if (provider instanceof ClusterConnectionProvider cluster) {
            return () -> ClusterScriptRunner.over(cluster, use, new FailOverPatience(FailOverPatience.DEFAULT));
        }
        Pool<Connection> pool = pool(client);
        return () -> PooledScriptRunner.borrowing(pool, use);
    }

    /** The same for locks: each warns of a pool that is too small for them. */
    static Supplier<ScriptRunner> runnerForLocks(UnifiedJedis client) {
        Supplier<ScriptRunner> runner = runner(client, ClientUse.LOCKS);
        return () -> {
            anyPool(client).ifPresent(GivenClient::warnIfTooSmall);
            return runner.get();
        };
    }

    /** A pool of the client, if it has one already. All have the same settings. */
    private static Optional<Pool<Connection>> anyPool(UnifiedJedis client) {
        Object provider = value(field(UnifiedJedis.class, "provider"), client);
        if (provider instanceof SentineledConnectionProvider sentinels) {
            return Optional.of(poolOfMaster(sentinels).get());
        }
        if (provider instanceof ClusterConnectionProvider cluster) {
            return cluster.getNodes().values().stream()
                    .<Pool<Connection>>map(node -> node)
                    .findFirst();
        }
        return Optional.of(pool(client));
    }

    private static ScriptRunner ofMaster(Supplier<Pool<Connection>> pools, ClientUse use) {
        Pool<Connection> present = pools.get();
        return new PooledScriptRunner(
                new PresentPool(pools, ConnectionSharing.NONE, () -> pools.get().getResource(), () -> {}),
                RedisFailures.ofGiven("the master of the given client", present.getMaxTotal(), use),
                ScriptPipeline.Answering.MASTER,
                new FailOverPatience(FailOverPatience.DEFAULT));
    }

    static Pool<Connection> pool(UnifiedJedis client) {
        return pool(
                client,
                "RedisClient and JedisPooled for one server, RedisSentinelClient and JedisSentineled for sentinels,"
                        + " RedisClusterClient and JedisCluster for a cluster");
    }

    /** For one server of a quorum. */
    static Pool<Connection> poolOfOneServer(UnifiedJedis client) {
        return pool(client, "RedisClient and JedisPooled, one for each server");
    }

    @SuppressWarnings("unchecked") // All that have one declare a Pool<Connection>.
    private static Pool<Connection> pool(UnifiedJedis client, String allowed) {
        try {
            return (Pool<Connection>) client.getClass().getMethod("getPool").invoke(client);
        } catch (ReflectiveOperationException other) {
            throw new LockConfigurationException(
                    "The Jedis client is a " + client.getClass().getName() + "; allowed are " + allowed, other);
        }
    }

    /** The pool of the present master, which Jedis replaces when the sentinels name another one. */
    @SuppressWarnings("unchecked") // A ConnectionPool in all versions.
    static Supplier<Pool<Connection>> poolOfMaster(SentineledConnectionProvider sentinels) {
        Field pool = field(SentineledConnectionProvider.class, "pool");
        return () -> (Pool<Connection>) value(pool, sentinels);
    }

    private static Field field(Class<?> type, String name) {
        try {
            Field field = type.getDeclaredField(name);
            field.setAccessible(true);
            return field;
        } catch (ReflectiveOperationException | RuntimeException changed) {
            throw new LockConfigurationException(
                    "This version of Jedis has no field '" + name + "' in " + type.getName() + " that can be read; "
                            + JedisVersion.SUPPORTED,
                    changed);
        }
    }

    private static Object value(Field field, Object owner) {
        try {
            return field.get(owner);
        } catch (IllegalAccessException impossible) {
            throw new IllegalStateException("The field was made accessible", impossible);
        }
    }

    /** Warns of a pool whose only connection is taken from renewals and releases while a claim waits. */
    static void warnIfTooSmall(Pool<Connection> pool) {
        int most = pool.getMaxTotal();
        if (most >= 0 && most < LEAST_NEEDED) {
            LOG.log(
                    Level.WARNING,
                    "The pool of the given Jedis client has at most " + most + " connection, and locks need "
                            + LEAST_NEEDED
                            + ": one for calls and one that listens while claims wait. Renewals come too late if none is"
                            + " free until the lease ends. Enlarge the pool, or give the locks a client of their own");
        }
    }
}
