package planted.lock.core;

import io.holdfast.build.architecture.Violates;
import redis.clients.jedis.Jedis;

@Violates("the engine knows API and SPI")
record RedisEngine(Jedis jedis) {}
