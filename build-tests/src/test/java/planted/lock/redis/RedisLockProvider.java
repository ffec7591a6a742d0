package planted.lock.redis;

import redis.clients.jedis.Jedis;

/** Obeys: the provider is where the client's types are seen. */
public record RedisLockProvider(Jedis jedis) {}
