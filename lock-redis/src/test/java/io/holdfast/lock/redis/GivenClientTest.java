package io.holdfast.lock.redis;

import static io.holdfast.parts.StoreAssertions.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.redis.RedisLockProvider.Layout;
import io.holdfast.parts.Bidder;
import io.holdfast.parts.Proves;
import java.util.List;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.RedisClient;

/** A provider over a Jedis client of the application. */
class GivenClientTest extends WakeUpScene {

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
                    Bidder holder = holder(given, "a");
                    assertThat(jedis.get("given:a")).startsWith(holder.id);
                    Bidder waiter = Bidder.waiting(given, "a");
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
    void aClosedProviderRefusesEveryCallAndTheGivenClientWorksOn() {
        try (RedisClient jedis =
                RedisClient.builder().hostAndPort(server.host(), server.port()).build()) {
            RedisLockProvider given = RedisLockProvider.over(jedis).build();
            Bidder holder = holder(given, "a");
            Bidder waiter = Bidder.waiting(given, "a");
            assertThat(waiter.granted()).isFalse();

            given.close();

            assertFails(waiter::granted, "acquire of lock 'a' failed: the provider is closed");
            assertFails(Bidder.once(given, "b")::granted, "acquire of lock 'b' failed: the provider is closed");
            assertFails(holder::held, "renewal of lock 'a' failed: the provider is closed");
            assertFails(
                    () -> given.renewAll(List.of(holder.claim)), "renewal of lock 'a' failed: the provider is closed");
            assertFails(() -> given.holder("a"), "holder of lock 'a' failed: the provider is closed");
            assertFails(holder::released, "release of lock 'a' failed: the provider is closed");
            assertThat(jedis.exists("holdfast:a")).isTrue();
            assertThat(jedis.exists("holdfast:b")).isFalse();
        }
    }
}
