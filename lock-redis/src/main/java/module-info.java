/**
 * The Redis backend, on Jedis.
 */
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"}) // Jedis has no module descriptor.
module io.holdfast.lock.redis {
    requires transitive io.holdfast.lock;
    requires static transitive org.jspecify;
    requires transitive redis.clients.jedis;
    requires org.apache.commons.pool2;
    // Jedis logs through it, and has no descriptor to require it.
    requires org.slf4j;

    exports io.holdfast.lock.redis;

    provides io.holdfast.lock.spi.LockProviderFactory with
            io.holdfast.lock.redis.RedisLockProviderFactory,
            io.holdfast.lock.redis.RedlockLockProviderFactory;
}
