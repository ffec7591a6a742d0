package io.holdfast.containers;

import io.holdfast.lock.tck.LockHarness;
import java.util.Map;
import redis.clients.jedis.Jedis;

/** Redis, and another server that speaks its protocol. */
final class RedisStore {

    static final ContainerServer REDIS = in("containers.redis");
    static final ContainerServer VALKEY = in("containers.valkey");

    private static final int PORT = 6379;

    private RedisStore() {}

    private static ContainerServer in(String property) {
        return new ContainerServer(
                property, PORT, container -> container, address -> Backends.open("redis://" + address, Map.of()));
    }

    static LockHarness harness(ContainerServer server, String layout) {
        return new ContainerHarness("redis://" + server.address() + "?layout=" + layout, name -> {
            try (Jedis operator = new Jedis(server.host(), server.port())) {
                operator.del("holdfast:" + name);
            }
        });
    }
}
