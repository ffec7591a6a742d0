package io.holdfast.lock.redis;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.util.Pool;

/**
 * The connections to the present server: those of a pool, which a fail-over replaces by another one, and those to subscribe on.
 * Thread-safe.
 */
final class PresentPool {

    private final Supplier<Pool<Connection>> pools;
    private final ConnectionSharing sharing;
    private final Supplier<Connection> subscriptions;
    private final Runnable close;
    private final AtomicReference<@Nullable Pool<Connection>> last = new AtomicReference<>();
    private final Set<Connection> subscribed = ConcurrentHashMap.newKeySet();

    /**
     * Creates it, without I/O.
     *
     * @param pools gives the pool of the present server, closed or not
     * @param sharing when calls share one of its connections
     * @param subscriptions opens a connection to subscribe on
     * @param close closes what belongs to the provider
     */
    PresentPool(
            Supplier<Pool<Connection>> pools,
            ConnectionSharing sharing,
            Supplier<Connection> subscriptions,
            Runnable close) {
        this.pools = pools;
        this.sharing = sharing;
        this.subscriptions = subscriptions;
        this.close = close;
    }

    ConnectionSharing sharing() {
        return sharing;
    }

    /**
     * Takes a connection out of the pool. An interrupt does not end the wait, as a release has to reach the server; it is kept.
     */
    Connection borrow() {
        PassedTime waited = new PassedTime();
        try (KeptInterrupt interrupt = new KeptInterrupt()) {
            while (true) {
                Pool<Connection> pool = present();
                try {
                    return pool.getResource();
                } catch (JedisException failure) {
                    // A pool that is being closed interrupts the threads that wait for its connections.
                    boolean byInterrupt = RedisFailures.interrupted(failure) && !pool.isClosed();
                    if (byInterrupt) {
                        interrupt.keep();
                    }
                    boolean again = byInterrupt || wasReplaced(pool);
                    if (!again && pool.isClosed()) {
                        // Its server is none of the cluster's any more, or a given client was closed. Nothing was sent.
                        throw new JedisConnectionException(
                                "the pool of connections to this server was closed", failure);
                    }
                    if (!again || waitedInFull(pool, waited)) {
                        throw failure;
                    }
                }
            }
        }
    }

    private boolean wasReplaced(Pool<Connection> pool) {
        return pool.isClosed() && pools.get() != pool;
    }

    /** Whether the pool's limit has passed, so that repeated interrupts do not prolong the wait. */
    private static boolean waitedInFull(Pool<Connection> pool, PassedTime waited) {
        Duration limit = pool.getMaxWaitDuration();
        return !limit.isNegative() && !waited.isLessThan(limit);
    }

    private Pool<Connection> present() {
        Pool<Connection> pool = pools.get();
        Pool<Connection> before = last.getAndSet(pool);
        if (before != null && before != pool) {
            // A subscription to a server that hangs does not notice by itself that another one has taken over.
            subscribed.forEach(Requests::cutOff);
        }
        return pool;
    }

    /** Whether a pool is the present one. */
    boolean isNow(Pool<Connection> pool) {
        return pools.get() == pool;
    }

    /** Closes the idle connections. */
    void clear() {
        pools.get().clear();
    }

    /** Opens a connection to subscribe on, which is cut off when another server takes over. */
    Connection openSubscription() {
        subscribed.removeIf(Connection::isBroken);
        Pool<Connection> before = present();
        Connection opened = subscriptions.get();
        subscribed.add(opened);
        if (present() != before) {
            // It may lead to the server before, and the call that noted the present one did not know of it yet.
            Requests.cutOff(opened);
        }
        return opened;
    }

    void close() {
        close.run();
    }
}
