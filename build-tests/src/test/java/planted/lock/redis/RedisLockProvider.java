package planted.lock.redis;

import planted.lock.ApiStatus;
import redis.clients.jedis.Jedis;

/** Obeys: the provider is where the client's types are seen. */
@ApiStatus
public record RedisLockProvider(Jedis jedis) {}
