package io.holdfast.bench;

import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.params.SetParams;

/**
 * The lock of the textbook, on Jedis: {@code SET NX PX}, a script that compares and deletes, and another attempt after some
 * milliseconds.
 */
final class JedisLocks implements Locks {

    private static final String COMPARE_AND_DELETE =
            "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0";
    private static final int CONNECTIONS = 64;
    private static final int PAUSE_MILLIS = 5;

    private final RedisClient client;
    private final String script;

    JedisLocks(String address) {
        Endpoint server = Endpoint.of(address);
        ConnectionPoolConfig pool = new ConnectionPoolConfig();
        pool.setMaxTotal(CONNECTIONS);
        pool.setMaxIdle(CONNECTIONS);
        client = RedisClient.builder()
                .hostAndPort(server.host(), server.port())
                .poolConfig(pool)
                .build();
        script = client.scriptLoad(COMPARE_AND_DELETE);
    }

    @Override
    public Section section(String name) {
        String key = "jedis:" + name;
        String value = UUID.randomUUID().toString();
        return new Section() {
            @Override
            public OptionalLong enter() throws InterruptedException {
                while (client.set(key, value, SetParams.setParams().nx().px(30_000)) == null) {
                    TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
                }
                return OptionalLong.empty();
            }

            @Override
            public void leave() {
                client.evalsha(script, List.of(key), List.of(value));
            }
        };
    }

    @Override
    public void close() {
        client.close();
    }
}
