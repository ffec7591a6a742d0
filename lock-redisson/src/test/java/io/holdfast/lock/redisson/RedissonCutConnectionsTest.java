package io.holdfast.lock.redisson;

import static io.holdfast.parts.RedisFaults.calls;
import static io.holdfast.parts.StoreAssertions.assertWorks;
import static io.holdfast.parts.Waits.answered;
import static io.holdfast.parts.Waits.letPass;
import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.tck.faults.TcpProxy.Direction;
import io.holdfast.parts.Proves;
import io.holdfast.parts.RedisProxyScene;
import io.holdfast.parts.TestClaim;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

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

    @Execution(ExecutionMode.CONCURRENT)
    @Test
    void callsAfterIdleConnectionsWereCutUseNewOnes() {
        try (RedissonLockProvider provider = RedissonProviders.at("redisson://127.0.0.1:" + proxy.port())) {
            TestClaim holder = TestClaim.once(provider, "a");
            holder.granted();
            for (int round = 0; round < 5; round++) {
                for (Runnable call : calls(provider, holder)) {
                    assertWorks(provider);
                    long accepted = proxy.accepted();
                    int open = proxy.open();
                    proxy.reset();
                    // The client has noticed the cuts when it connects again.
                    soon().until(() -> proxy.accepted() >= accepted + open);
                    letPass(QUIET);

                    call.run();
                }
            }
        }
    }

    /** Only Redisson's ping finds such a connection. */
    @Test
    @Proves("7.2")
    void subscriptionThatDiesWithoutAnErrorIsReplacedWhenItsPingFails() {
        Config config = Redissons.config(proxy.port());
        config.useSingleServer().setPingConnectionInterval(1_000).setTimeout(1_000);
        RedissonClient redisson = Redisson.create(config);
        try (RedissonLockProvider provider = RedissonLockProvider.over(redisson).build();
                RedissonLockProvider other = RedissonProviders.on(server, "")) {
            TestClaim holder = TestClaim.once(other, "a");
            assertThat(holder.granted()).isTrue();
            TestClaim waiter = TestClaim.waiting(provider, "a");
            assertThat(waiter.granted()).isFalse();
            soon().until(waiter::isHeard);
            int before = waiter.mayBeFree.get();
            long accepted = proxy.accepted();

            proxy.swallow(Direction.REPLIES);
            assertThat(holder.released()).isTrue();
            soon().until(() -> proxy.accepted() > accepted);
            assertThat(waiter.mayBeFree).hasValue(before);

            proxy.pass(Direction.REPLIES);
            soon().until(() -> waiter.mayBeFree.get() > before);
            // Its connection may be waiting for the reply to a ping that was swallowed.
            answered().until(waiter::granted);
        } finally {
            redisson.shutdown();
        }
    }
}
