package io.holdfast.lock.redis;

import io.holdfast.lock.LockConfigurationException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import redis.clients.jedis.Connection;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.util.Pool;

/**
 * The pool of a client of the application. {@code JedisPooled} is in Jedis 6 and 7, {@code RedisClient} in Jedis 7.2 and later. No
 * type that all versions have gives a pool, so this uses reflection; the clients of several servers have none.
 */
final class GivenClient {

    /** One for calls, and one to subscribe on. */
    private static final int LEAST_NEEDED = 2;

    private static final Logger LOG = System.getLogger("io.holdfast.lock");

    private GivenClient() {}

    @SuppressWarnings("unchecked") // Both declare a Pool<Connection>.
    static Pool<Connection> pool(UnifiedJedis client) {
        try {
            return (Pool<Connection>) client.getClass().getMethod("getPool").invoke(client);
        } catch (ReflectiveOperationException other) {
            throw new LockConfigurationException(
                    "The Jedis client is a " + client.getClass().getName()
                            + "; allowed are RedisClient and JedisPooled, which are for one server",
                    other);
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
