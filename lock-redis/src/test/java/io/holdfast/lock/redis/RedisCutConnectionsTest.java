package io.holdfast.lock.redis;

import static io.holdfast.parts.RedisFaults.calls;
import static io.holdfast.parts.StoreAssertions.assertWorks;
import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockStoreException;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.RedisClient;

/** Connections are cut, as by a firewall, while the server is healthy. */
class RedisCutConnectionsTest extends ClientScene {

    private static final List<String> NAMES = List.of("a", "b", "c");
    private static final Executor NEW_THREAD = task -> new Thread(task).start();

    @Test
    @Proves("5.5")
    void closeReleasesLocksOverCutConnections() throws InterruptedException {
        LockClient client = connect("");
        List<LockHandle> held = new ArrayList<>();
        for (String name : NAMES) {
            held.add(client.lock(name).acquire());
        }
        proxy.reset();

        long before = System.nanoTime();
        client.close();

        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(5));
        assertThat(held).noneMatch(LockHandle::isHeld);
        try (LockClient other = connect("")) {
            for (LockHandle lock : held) {
                assertThat(other.holder(lock.name())).isEmpty();
            }
        }
    }

    @Test
    void waitersGoOn() throws Exception {
        try (LockClient client = connect("")) {
            assertWaitersGoOn(client);
        }
    }

    @Test
    void waitersOverAGivenClientWithSeveralIdleConnectionsGoOn() throws Exception {
        try (RedisClient jedis = RedisClient.builder()
                        .hostAndPort("127.0.0.1", proxy.port())
                        .build();
                LockClient client = LockClient.builder(
                                RedisLockProvider.over(jedis).build())
                        .build()) {
            IntStream.range(0, 4)
                    .mapToObj(each -> jedis.getPool().getResource())
                    .toList()
                    .forEach(connection -> connection.close());
            assertWaitersGoOn(client);
        }
    }

    private void assertWaitersGoOn(LockClient client) throws Exception {
        try (LockClient holder = LockClient.connect("redis://" + server.host() + ":" + server.port())) {
            assertWaitersOutliveCuts(holder, client, () -> {
                // Only those that the waiters will ask on.
                server.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
                assertThat(holder.holder("a")).isPresent();
            });
        }
    }

    @Test
    void everyCallIsRepeatedOnANewConnection() {
        try (RedisLockProvider provider =
                RedisProviders.at("redis://127.0.0.1:" + proxy.port() + "?poolSize=8&timeout=1m")) {
            TestClaim holder = TestClaim.once(provider, "a");
            holder.granted();
            List<Runnable> calls = new ArrayList<>(calls(provider, holder));
            calls.add(() -> assertThat(holder.released()).isTrue());
            for (Runnable call : calls) {
                assertWorks(provider);
                openMore(provider);
                proxy.reset();
                soon().until(() -> proxy.open() == 0);

                call.run();
            }
        }
    }

    @Test
    void releaseThatFindsTheLockFreeAtItsSecondTryFails() {
        try (RedisLockProvider provider = RedisProviders.at("redis://127.0.0.1:" + proxy.port())) {
            TestClaim holder = TestClaim.once(provider, "a");
            holder.granted();
            server.command("DEL", "holdfast:a");
            proxy.reset();
            soon().until(() -> proxy.open() == 0);

            assertThatThrownBy(holder::released)
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("the connection was lost");
            assertThat(holder.released()).isFalse();
        }
    }

    /** As many connections as calls at the same time. */
    private void openMore(RedisLockProvider provider) {
        server.pause();
        List<CompletableFuture<Void>> several = IntStream.range(0, 4)
                .mapToObj(each -> CompletableFuture.runAsync(() -> provider.holder("any"), NEW_THREAD))
                .toList();
        soon().until(() -> proxy.open() >= 4);
        server.resume();
        several.forEach(CompletableFuture::join);
    }
}
