package io.holdfast.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.redis.RedisLockProvider.Layout;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.parts.RedisProxyScene;
import io.holdfast.parts.TestClaim;
import java.util.AbstractList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.RedisClient;

/** A connection that may have unread replies is not used again, as the next call would take them for its own. */
class UnreadRepliesTest extends RedisProxyScene {

    private static final LockScripts SCRIPTS = LockScripts.of(Layout.HASH);

    /** What can be thrown in the middle of a pipeline. */
    enum Thrown {
        ERROR {
            @Override
            byte[] come() {
                throw new OutOfMemoryError("thrown by the test");
            }
        },
        RUNTIME_EXCEPTION {
            @Override
            byte[] come() {
                throw new IllegalStateException("thrown by the test");
            }
        };

        abstract byte[] come();
    }

    private static ScriptCall acquireCall(String name, String claim) {
        return new ScriptCall(
                "test",
                name,
                SCRIPTS.acquire(),
                words("holdfast:" + name, "holdfast:#fence"),
                words(claim, "30000", "owner", "host", "1", "thread"));
    }

    private static List<byte[]> words(String... words) {
        return List.of(words).stream().map(ScriptCall::bytes).toList();
    }

    @ParameterizedTest
    @EnumSource
    void failureWithinAPipelineGrantsNoOtherLock(Thrown surprise) {
        try (RedisLockProvider holding = RedisProviders.on(server, "");
                RedisLockProvider provider = RedisProviders.at("redis://127.0.0.1:" + proxy.port() + "?poolSize=1")) {
            TestClaim holder = TestClaim.once(holding, "held");
            assertThat(holder.granted()).isTrue();
            ScriptCall faulty = new ScriptCall("test", "c", SCRIPTS.renew(), words("holdfast:c"), new AbstractList<>() {
                @Override
                public byte[] get(int index) {
                    return surprise.come();
                }

                @Override
                public int size() {
                    return 2;
                }
            });
            List<ScriptCall> calls = List.of(acquireCall("a", "one"), acquireCall("b", "two"), faulty);

            assertThatThrownBy(() -> provider.runner().runAll(calls)).hasMessage("thrown by the test");

            // Otherwise these would read the answers to the pipeline: granted, twice.
            assertThat(TestClaim.once(provider, "held").granted()).isFalse();
            assertThat(TestClaim.once(provider, "held").granted()).isFalse();
            assertThat(provider.renewAll(List.of(TestClaim.once(provider, "held").claim)))
                    .singleElement()
                    .isInstanceOf(Renewal.Lost.class);
            assertThat(holder.held()).isTrue();
            assertThat(proxy.accepted()).isEqualTo(2);
        }
    }

    @Test
    void connectionWithAnUnexpectedReplyIsDropped() {
        ConnectionPoolConfig one = new ConnectionPoolConfig();
        one.setMaxTotal(1);
        try (RedisClient jedis = RedisClient.builder()
                        .hostAndPort(server.host(), server.port())
                        .poolConfig(one)
                        .build();
                RedisLockProvider provider = RedisLockProvider.over(jedis).build()) {
            assertThat(TestClaim.once(provider, "a").granted()).isTrue();
            try (Connection borrowed = jedis.getPool().getResource()) {
                borrowed.sendCommand(Command.PING);
            }

            assertThatThrownBy(() -> TestClaim.once(provider, "b").granted()).isInstanceOf(NumberFormatException.class);

            // Otherwise this would read the answer to the attempt before: granted.
            assertThat(TestClaim.once(provider, "a").granted()).isFalse();
            assertThat(jedis.getPool().getDestroyedCount()).isEqualTo(1);
        }
    }

    @Test
    void errorReplyKeepsTheConnection() {
        try (RedisLockProvider provider = RedisProviders.at("redis://127.0.0.1:" + proxy.port() + "?poolSize=1")) {
            server.command("LPUSH", "holdfast:a", "x");
            for (int attempt = 0; attempt < 3; attempt++) {
                assertThatThrownBy(() -> TestClaim.once(provider, "a").granted())
                        .hasMessageContaining("WRONGTYPE");
            }
            assertThat(proxy.accepted()).isEqualTo(1);
        }
    }
}
