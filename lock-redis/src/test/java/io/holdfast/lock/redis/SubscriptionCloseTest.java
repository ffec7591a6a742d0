package io.holdfast.lock.redis;

import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.spi.ReleaseFeed;
import io.holdfast.lock.tck.faults.TcpProxy;
import io.holdfast.lock.tck.faults.TcpProxy.Direction;
import io.holdfast.parts.TestClaim;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** Closing leaves nothing behind, whatever the subscription is doing at the time. */
@Isolated("it looks at all threads of the JVM")
class SubscriptionCloseTest extends WakeUpScene {

    @Test
    void closesAlthoughTheConnectionCannotBeCutOff() {
        SubscriptionGate gate = new SubscriptionGate(provider.runner());
        RedisLockProvider gated = behind(gate);
        holder(provider, "a");
        gate.open(() -> new Connection(server.host(), server.port()) {
            @Override
            public void disconnect() {
                super.disconnect();
                throw new JedisConnectionException("thrown by the test");
            }
        });
        waiter(gated, "a");

        gated.close();

        assertThat(messageThreadIsIn("run")).isFalse();
        assertThat(gate.closed).isTrue();
    }

    @Test
    void closingLeavesNoConnectionSubscriptionOrThread() {
        List<TestClaim> holders = IntStream.range(0, 10)
                .mapToObj(i -> holder(provider, "lock-" + i))
                .toList();
        IntStream.range(0, 10).forEach(i -> waiter(provider, "lock-" + i));
        holders.forEach(TestClaim::released);

        provider.close();
        provider.close();

        soon().untilAsserted(() -> {
            assertThat((String) server.command("CLIENT", "LIST")).doesNotContain("name=holdfast");
            assertThat(Thread.getAllStackTraces().keySet())
                    .extracting(Thread::getName)
                    .noneMatch(name -> name.startsWith("holdfast") || name.startsWith("commons-pool"));
        });
        assertThat(server.command("PUBSUB", "CHANNELS")).isEqualTo(List.of());
    }

    @Test
    void closesPromptlyWhileTheServerIsPaused() {
        RedisLockProvider patient = RedisProviders.on(server, "timeout=1m");
        holder(patient, "a");
        waiter(patient, "a");
        server.pause();

        long before = System.nanoTime();
        patient.close();

        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(5));
        server.resume();
    }

    @Test
    void closesPromptlyWhileTheConnectionIsABlackHole() {
        try (TcpProxy proxy = TcpProxy.to(server.host(), server.port())) {
            RedisLockProvider far = RedisProviders.at("redis://127.0.0.1:" + proxy.port() + "?timeout=1m");
            holder(far, "a");
            waiter(far, "a");
            proxy.swallow(Direction.REQUESTS);
            proxy.swallow(Direction.REPLIES);

            long before = System.nanoTime();
            far.close();

            assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(5));
        }
    }

    private void assertNothingIsLeft() {
        assertThat(messageThreadIsIn("run")).isFalse();
        soon().untilAsserted(() ->
                assertThat((String) server.command("CLIENT", "LIST")).doesNotContain("name=holdfast"));
    }

    @Test
    void closesWhileTheConnectionIsBeingOpened() throws Exception {
        SubscriptionGate gate = new SubscriptionGate(provider.runner());
        RedisLockProvider gated = behind(gate);
        holder(provider, "a");
        CountDownLatch opening = new CountDownLatch(1);
        Thread closer = new Thread(gated::close);
        gate.open(() -> {
            opening.countDown();
            while (closer.getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
            }
            return provider.runner().openSubscription();
        });
        assertThat(TestClaim.waiting(gated, "a").granted()).isFalse();
        opening.await();

        closer.start();
        closer.join();

        provider.close();
        assertNothingIsLeft();
        assertThat(server.calls("subscribe")).isZero();
    }

    @Test
    void closesWhileConnectingToASilentServer() {
        try (TcpProxy proxy = TcpProxy.to(server.host(), server.port())) {
            RedisLockProvider far = RedisProviders.at("redis://127.0.0.1:" + proxy.port() + "?timeout=1s");
            SubscriptionGate gate = new SubscriptionGate(far.runner());
            RedisLockProvider gated = behind(gate);
            holder(far, "a");
            // It connects again and again, so that a slow machine does not miss it.
            for (int attempt = 0; attempt < 8; attempt++) {
                gate.open(() -> {
                    proxy.swallow(Direction.REPLIES);
                    return far.runner().openSubscription();
                });
            }
            assertThat(TestClaim.waiting(gated, "a").granted()).isFalse();
            soon().until(() -> messageThreadIsIn("initializeFromClientConfig"));

            gated.close();

            far.close();
            provider.close();
            assertNothingIsLeft();
        }
    }

    @Test
    void closesDuringThePauseAfterAFailure() {
        SubscriptionGate gate = new SubscriptionGate(provider.runner());
        RedisLockProvider gated = behind(gate);
        holder(provider, "a");
        for (int failure = 0; failure < 8; failure++) {
            gate.open(() -> {
                throw new JedisConnectionException("refused by the test");
            });
        }
        assertThat(TestClaim.waiting(gated, "a").granted()).isFalse();
        soon().until(() -> gate.asked.get() >= 7 && messageThreadIsIn("pause"));

        long before = System.nanoTime();
        gated.close();

        // After so many failures a pause takes a second at least.
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofMillis(900));
        provider.close();
        assertNothingIsLeft();
    }

    @Test
    void closesWhileNobodyWaits() {
        try (RedisLockProvider impatient = impatient(server.port())) {
            ReleaseFeed feed = impatient.releases(new NoListener()).orElseThrow();
            feed.subscribe("a");
            awaitSubscribers("a", 1);
            feed.unsubscribe("a");
            soon().until(() -> messageThreadIsIn("awaitNames"));
        }
        provider.close();
        assertNothingIsLeft();
    }

    @Test
    void closesWhileAGivenPoolHasNoConnectionToSubscribeOn() {
        ConnectionPoolConfig one = new ConnectionPoolConfig();
        one.setMaxTotal(1);
        try (RedisClient jedis = RedisClient.builder()
                .hostAndPort(server.host(), server.port())
                .poolConfig(one)
                .build()) {
            PooledScriptRunner given = PooledScriptRunner.borrowing(jedis.getPool(), ClientUse.LOCKS);
            SubscriptionGate gate = new SubscriptionGate(given);
            RedisLockProvider gated = behind(gate);
            AtomicReference<Connection> taken = new AtomicReference<>();
            gate.open(() -> {
                taken.set(jedis.getPool().getResource());
                return given.openSubscription();
            });
            holder(provider, "a");
            assertThat(TestClaim.waiting(gated, "a").granted()).isFalse();
            soon().until(() -> messageThreadIsIn("borrowObject") && taken.get() != null);

            gated.close();

            assertThat(messageThreadIsIn("run")).isFalse();
            taken.get().close();
            assertThat(jedis.getPool().getNumActive()).isZero();
        }
    }
}
