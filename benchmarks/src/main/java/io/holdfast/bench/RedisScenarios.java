package io.holdfast.bench;

import io.holdfast.bench.Contender.Side;
import io.holdfast.servers.RedisServer;
import java.util.List;

/** The scenarios in Redis. */
final class RedisScenarios {

    private static final int MANY = 64;
    private static final int SOME = 8;

    private RedisScenarios() {}

    static List<Scenario> of(RedisServer server) {
        String host = server.host();
        int port = server.port();
        String address = host + ":" + port;
        Contender bare = new Contender("bare SET and script", Side.LIMIT, () -> BareRedis.set(host, port));
        Contender queue = new Contender("bare BLPOP and LPUSH", Side.LIMIT, () -> BareRedis.queue(host, port));
        Contender hash = new Contender("Holdfast hash", Side.OURS, () -> new HoldfastLocks("redis://" + address));
        Contender string = new Contender(
                "Holdfast string", Side.OURS, () -> new HoldfastLocks("redis://" + address + "?layout=string"));
        Contender ourRedisson =
                new Contender("Holdfast on Redisson", Side.OURS, () -> new HoldfastLocks("redisson://" + address));
        Contender redisson = new Contender("Redisson RLock", Side.PEER, () -> new RedissonLocks(host, port));
        Contender spring = new Contender("Spring Integration", Side.PEER, () -> new SpringLocks(host, port));
        Contender textbook = new Contender("textbook on Jedis", Side.PEER, () -> new JedisLocks(host, port));
        List<Contender> alone = List.of(bare, hash, string, ourRedisson, redisson, spring, textbook);
        List<Contender> handOver = List.of(queue, hash, string, ourRedisson, redisson, spring, textbook);
        return List.of(
                new Scenario("redis-alone", "Redis, one thread", 1, 1, alone),
                new Scenario("redis-many", "Redis, 64 threads with a lock each", MANY, MANY, alone),
                new Scenario("redis-hand-over", "Redis, one lock for 8 threads of one JVM", SOME, 1, handOver));
    }
}
