package planted.lock.zookeeper;

import io.holdfast.build.architecture.Violates;
import redis.clients.jedis.Jedis;

@Violates("a backend knows API, SPI and its own client")
record ForeignStore(Jedis jedis) {}
