package planted.lock.redis;

import io.holdfast.build.architecture.Violates;
import redis.clients.jedis.Jedis;

@Violates({
    "client types are seen in the provider and its builder alone",
    "backends and engine export a provider, its builder and its factory"
})
public record JedisCommands(Jedis jedis) {}
