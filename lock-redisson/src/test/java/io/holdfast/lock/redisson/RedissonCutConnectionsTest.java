package io.holdfast.lock.redisson;

import static io.holdfast.parts.RedisFaults.calls;
import static io.holdfast.parts.StoreAssertions.assertWorks;
import static io.holdfast.parts.Waits.letPass;

import io.holdfast.lock.LockClient;
import io.holdfast.parts.RedisProxyScene;
import io.holdfast.parts.TestClaim;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;

/** Connections are cut, as by a firewall, while the server is healthy. */
class RedissonCutConnectionsTest extends RedisProxyScene {

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
            assertWaitersOutliveCuts(holder, client, () -> {});
        }
    }

    @Test
    void callsAfterIdleConnectionsWereCutUseNewOnes() {
        try (RedissonLockProvider provider = RedissonProviders.at("redisson://127.0.0.1:" + proxy.port())) {
            TestClaim holder = TestClaim.once(provider, "a");
            holder.granted();
            for (int round = 0; round < 5; round++) {
                for (Runnable call : calls(provider, holder)) {
                    assertWorks(provider);
                    proxy.reset();
                    letPass(QUIET);

                    call.run();
                }
            }
        }
    }
}
