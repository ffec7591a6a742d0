package io.holdfast.lock.redis;

import static io.holdfast.parts.StoreAssertions.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockCapabilities.WakeUp;
import io.holdfast.lock.redis.RedisLockProvider.Layout;
import io.holdfast.parts.PoolWarnings;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import java.util.List;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.RedisClient;

/** A provider over a Jedis client of the application. */
class RedisGivenClientTest extends WakeUpScene {

    @Proves("9.6")
    @Test
    void worksOverAGivenClientInBothProtocolsAndNeverClosesIt() {
        for (boolean resp3 : new boolean[] {false, true}) {
            DefaultJedisClientConfig.Builder config = DefaultJedisClientConfig.builder();
            try (RedisClient jedis = RedisClient.builder()
                    .hostAndPort(server.host(), server.port())
                    .clientConfig((resp3 ? config.resp3() : config.resp2()).build())
                    .build()) {
                try (RedisLockProvider given = RedisLockProvider.over(jedis)
                        .layout(Layout.STRING)
                        .prefix("given:")
                        .build()) {
                    TestClaim holder = holder(given, "a");
                    assertThat(jedis.get("given:a")).startsWith(holder.id);
                    TestClaim waiter = TestClaim.waiting(given, "a");
                    waiter.granted();
                    awaitSignals(waiter, 1);
                    int before = waiter.mayBeFree.get();
                    holder.released();
                    awaitSignals(waiter, before + 1);
                    assertThat(waiter.granted()).isTrue();
                    assertThat(waiter.released()).isTrue();
                }
                assertThat(jedis.ping()).isEqualTo("PONG");
                assertThat(jedis.getPool().getNumActive()).isZero();
            }
        }
    }

    @Proves("9.6")
    @Test
    void closedProviderRefusesCallsAndTheGivenClientWorksOn() {
        try (RedisClient jedis =
                RedisClient.builder().hostAndPort(server.host(), server.port()).build()) {
            RedisLockProvider given = RedisLockProvider.over(jedis).build();
            TestClaim holder = holder(given, "a");
            TestClaim waiter = TestClaim.waiting(given, "a");
            assertThat(waiter.granted()).isFalse();

            given.close();

            assertFails(waiter::granted, "acquire of lock 'a' failed: the provider is closed");
            assertFails(TestClaim.once(given, "b")::granted, "acquire of lock 'b' failed: the provider is closed");
            assertFails(holder::held, "renewal of lock 'a' failed: the provider is closed");
            assertFails(
                    () -> given.renewAll(List.of(holder.claim)), "renewal of lock 'a' failed: the provider is closed");
            assertFails(() -> given.holder("a"), "holder of lock 'a' failed: the provider is closed");
            assertFails(holder::released, "release of lock 'a' failed: the provider is closed");
            assertThat(jedis.exists("holdfast:a")).isTrue();
            assertThat(jedis.exists("holdfast:b")).isFalse();
        }
    }

    @Test
    void tooSmallPoolIsWarnedOf() {
        assertThat(warnings(1)).singleElement().asString().contains("at most 1 connection, and locks need 2");
        assertThat(warnings(2)).isEmpty();
        assertThat(warnings(-1)).isEmpty();
    }

    /** The guard of keys renews nothing and listens to nothing. */
    @Test
    void smallPoolOfAGuardIsNotWarnedOf() {
        ConnectionPoolConfig pool = new ConnectionPoolConfig();
        pool.setMaxTotal(1);
        assertThat(PoolWarnings.of(() -> {
                    try (RedisClient jedis = RedisClient.builder()
                            .hostAndPort(server.host(), server.port())
                            .poolConfig(pool)
                            .build()) {
                        FenceScene.over(jedis).enter(FenceScene.KEY, FenceScene.token(1));
                    }
                }))
                .isEmpty();
    }

    /** What is logged when a provider is built over a pool of that size. */
    private List<String> warnings(int poolSize) {
        ConnectionPoolConfig pool = new ConnectionPoolConfig();
        pool.setMaxTotal(poolSize);
        return PoolWarnings.of(() -> {
            try (RedisClient jedis = RedisClient.builder()
                            .hostAndPort(server.host(), server.port())
                            .poolConfig(pool)
                            .build();
                    RedisLockProvider given = RedisLockProvider.over(jedis).build()) {
                assertThat(given.capabilities().wakeUp()).isEqualTo(WakeUp.PUSH);
            }
        });
    }
}
