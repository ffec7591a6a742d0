package io.holdfast.lock.redisson;

import static io.holdfast.parts.StoreAssertions.assertWorks;
import static io.holdfast.parts.Waits.letPass;
import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.parts.TestClaim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;

/** Connections are cut, as by a firewall, while the server is healthy. */
class RedissonCutConnectionsTest extends RedissonProxyScene {

    private static final List<String> NAMES = List.of("a", "b", "c");
    private static final Duration QUIET = Duration.ofMillis(200);

    @Test
    void waitersGoOn() throws Exception {
        try (LockClient client = LockClient.connect("redisson://127.0.0.1:" + proxy.port())) {
            assertWaitersGoOn(client);
        }
    }

    @Test
    void waitersOverAGivenClientGoOn() throws Exception {
        RedissonClient redisson = Redisson.create(Redissons.config(proxy.port()));
        try (LockClient client =
                LockClient.builder(RedissonLockProvider.over(redisson).build()).build()) {
            assertWaitersGoOn(client);
        } finally {
            redisson.shutdown();
        }
    }

    private void assertWaitersGoOn(LockClient client) throws Exception {
        try (LockClient holder = LockClient.connect("redisson://" + server.host() + ":" + server.port())) {
            List<LockHandle> held = new ArrayList<>();
            for (String name : NAMES) {
                held.add(holder.lock(name).acquire());
            }
            List<CompletableFuture<LockHandle>> waits = Stream.concat(NAMES.stream(), NAMES.stream())
                    .map(name -> client.lock(name).acquireAsync())
                    .toList();
            for (int round = 1; round <= 3; round++) {
                int subscribed = NAMES.size() * round;
                soon().until(() -> server.calls("subscribe") >= subscribed);
                // Until no attempt is in flight: one whose connection is cut has an unknown outcome.
                letPass(QUIET);
                proxy.reset();
            }
            int subscribed = NAMES.size() * 4;
            soon().until(() -> server.calls("subscribe") >= subscribed);
            assertThat(waits).noneMatch(CompletableFuture::isDone);

            held.forEach(LockHandle::close);

            for (CompletableFuture<LockHandle> wait : waits) {
                wait.get(30, TimeUnit.SECONDS).close();
            }
        }
    }

    @Test
    void callsAfterIdleConnectionsWereCutUseNewOnes() {
        try (RedissonLockProvider provider = RedissonProviders.at("redisson://127.0.0.1:" + proxy.port())) {
            TestClaim holder = TestClaim.once(provider, "a");
            holder.granted();
            List<Runnable> calls = List.of(
                    () -> assertWorks(provider),
                    () -> assertThat(provider.holder("a")).isPresent(),
                    () -> assertThat(TestClaim.once(provider, "a").granted()).isFalse(),
                    () -> assertThat(holder.held()).isTrue(),
                    () -> assertThat(provider.renewAll(List.of(holder.claim)))
                            .singleElement()
                            .isInstanceOf(Renewal.Held.class));
            for (int round = 0; round < 5; round++) {
                for (Runnable call : calls) {
                    assertWorks(provider);
                    proxy.reset();
                    letPass(QUIET);

                    call.run();
                }
            }
        }
    }
}
