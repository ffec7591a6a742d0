package io.holdfast.lock.redisson;

import static io.holdfast.parts.StoreAssertions.assertFails;
import static io.holdfast.parts.StoreAssertions.assertWorks;
import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockCapabilities.WakeUp;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.redisson.config.NameMapper;

/** A provider over a Redisson client of the application. */
class RedissonGivenClientTest extends RedissonScene {

    private static final int OWNERS = 10;

    @Proves("9.6")
    @Test
    void neverClosesAGivenClientAndLeavesNoSubscriptionInIt() {
        TestClaim holder = TestClaim.once(provider, "a");
        assertThat(holder.granted()).isTrue();
        waiter(provider, "a");
        awaitSubscribers("a", 1);

        provider.close();

        awaitSubscribers("a", 0);
        assertThat(redisson.isShutdown()).isFalse();
        redisson.getBucket("still").set("here");
        assertThat(redisson.getBucket("still").get()).isEqualTo("here");
        provider.close();
    }

    @Test
    void clientThatIsSetToSendTheTextsOfScriptsSendsThem() {
        Config config = Redissons.config(server.port());
        config.setUseScriptCache(false);
        RedissonClient sending = Redisson.create(config);
        try (RedissonLockProvider texts = RedissonLockProvider.over(sending).build()) {
            TestClaim claim = TestClaim.once(texts, "a");
            assertThat(claim.granted()).isTrue();
            assertThat(claim.released()).isTrue();
            assertThat(server.calls("eval")).isGreaterThanOrEqualTo(2);
            assertThat(server.calls("evalsha")).isZero();
        } finally {
            sending.shutdown();
        }
    }

    @Proves("9.6")
    @Test
    void closeReleasesOnlyTheClientsHolds() throws InterruptedException {
        assertThat(redisson.getLock("theirs").tryLock()).isTrue();
        LockClient client =
                LockClient.builder(RedissonLockProvider.over(redisson).build()).build();
        LockHandle held = client.lock("ours").acquire();
        assertThat(held.isHeld()).isTrue();

        client.close();

        assertThat(redisson.getLock("ours").isLocked()).isFalse();
        assertThat(redisson.getLock("theirs").isHeldByCurrentThread()).isTrue();
    }

    @Proves("9.6")
    @Test
    void closedProviderRefusesCallsAndTheGivenClientWorksOn() {
        TestClaim holder = TestClaim.once(provider, "a");
        assertThat(holder.granted()).isTrue();
        TestClaim waiter = waiter(provider, "a");

        provider.close();

        assertFails(waiter::granted, "acquire of lock 'a' failed: the provider is closed");
        assertFails(TestClaim.once(provider, "b")::granted, "acquire of lock 'b' failed: the provider is closed");
        assertFails(holder::held, "renewal of lock 'a' failed: the provider is closed");
        assertFails(
                () -> provider.renewAll(List.of(holder.claim)), "renewal of lock 'a' failed: the provider is closed");
        assertFails(() -> provider.holder("a"), "holder of lock 'a' failed: the provider is closed");
        assertFails(holder::released, "release of lock 'a' failed: the provider is closed");
        assertThat(redisson.getLock("a").isLocked()).isTrue();
        assertThat(redisson.getLock("b").isLocked()).isFalse();
    }

    @Test
    void shutDownClientIsAFailure() {
        RedissonClient other = Redissons.on(server);
        try (RedissonLockProvider over = RedissonLockProvider.over(other).build()) {
            assertWorks(over);
            other.shutdown();
            assertFails(TestClaim.once(over, "a")::granted, "acquire of lock 'a'", "shut down");
        }
    }

    @Test
    void nameMapperOfTheClientIsRespected() throws Exception {
        Config config = Redissons.config(server.port());
        config.setNameMapper(prefixing());
        RedissonClient mapped = Redisson.create(config);
        try (RedissonLockProvider over = RedissonLockProvider.over(mapped).build();
                LockClient client = LockClient.builder(over).build()) {
            // Redisson's topics map their names once more, so that a lock's channel cannot be named. Waiters poll.
            assertThat(over.capabilities().wakeUp()).isEqualTo(WakeUp.POLL);
            assertThat(provider.capabilities().wakeUp()).isEqualTo(WakeUp.PUSH);
            TestClaim claim = TestClaim.once(over, "a");
            assertThat(claim.granted()).isTrue();
            assertThat(server.command("EXISTS", "app:a")).isEqualTo(1L);
            assertThat(mapped.getLock("a").tryLock()).isFalse();
            CompletableFuture<LockHandle> waiter = client.lock("a").acquireAsync();
            assertThat(claim.held()).isTrue();
            assertThat(over.renewAll(List.of(claim.claim))).hasOnlyElementsOfType(Renewal.Held.class);
            assertThat(waiter).isNotDone();
            assertThat(claim.released()).isTrue();
            waiter.get(PROMPT.toMillis(), TimeUnit.MILLISECONDS).release();
            assertThat(mapped.getLock("a").tryLock()).isTrue();
        } finally {
            mapped.shutdown();
        }
    }

    private static NameMapper prefixing() {
        return new NameMapper() {
            @Override
            public String map(String name) {
                return "app:" + name;
            }

            @Override
            public String unmap(String name) {
                return name.replace("app:", "");
            }
        };
    }

    @Test
    void unconnectedClientConnectsAtTheFirstCall() {
        Config config = Redissons.config(server.port());
        config.setLazyInitialization(true);
        RedissonClient lazy = Redisson.create(config);
        try (RedissonLockProvider over = RedissonLockProvider.over(lazy).build()) {
            assertWorks(over);
        } finally {
            lazy.shutdown();
        }
    }

    @Test
    void grantedClaimIsNotWoken() {
        TestClaim holder = TestClaim.once(provider, "a");
        assertThat(holder.granted()).isTrue();
        TestClaim next = waiter(provider, "a");
        assertThat(holder.released()).isTrue();
        awaitSignals(next, 2);
        assertThat(next.granted()).isTrue();
        int before = next.mayBeFree.get();
        // The channel is open already, so no confirmation wakes this one.
        TestClaim other = TestClaim.waiting(provider, "a");
        assertThat(other.granted()).isFalse();

        server.command("PUBLISH", channel("a"), "0");

        awaitSignals(other, 1);
        assertThat(next.mayBeFree.get()).isEqualTo(before);
    }

    @Test
    void invalidTimeoutIsRefused() {
        for (Duration wrong : List.of(Duration.ZERO, Duration.ofMillis(-1), Duration.ofMinutes(11))) {
            assertThatThrownBy(() -> RedissonLockProvider.over(redisson).timeout(wrong))
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageContainingAll(wrong.toString(), "1 ms to 10 minutes");
        }
    }

    @Proves("9.3")
    @Test
    void closingAHundredProvidersLeavesNoThread() {
        // In a thread group of their own, so that the clients of other tests do not count.
        ThreadGroup group = new ThreadGroup("owners");
        List<Thread> owners = IntStream.range(0, OWNERS)
                .mapToObj(owner -> new Thread(
                        group,
                        () -> IntStream.range(0, 100 / OWNERS).forEach(i -> useOwnProvider("lock-" + owner + "-" + i))))
                .toList();
        AtomicInteger failed = new AtomicInteger();
        owners.forEach(owner -> owner.setUncaughtExceptionHandler((thread, failure) -> failed.incrementAndGet()));
        owners.forEach(Thread::start);
        soon().atMost(Duration.ofMinutes(2)).until(() -> owners.stream().noneMatch(Thread::isAlive));

        assertThat(failed).hasValue(0);
        soon().untilAsserted(() -> assertThat(threadsOf(group)).isEmpty());
        soon().until(() -> !((String) server.command("CLIENT", "LIST")).contains("name=own"));
    }

    private void useOwnProvider(String name) {
        try (RedissonLockProvider own = RedissonProviders.on(server, "clientName=own&timeout=20s&connectTimeout=20s")) {
            assertThat(TestClaim.once(own, name).granted()).isTrue();
            waiter(own, name);
        }
    }

    private static List<String> threadsOf(ThreadGroup group) {
        Thread[] threads = new Thread[1_000];
        return Arrays.stream(threads, 0, group.enumerate(threads))
                .map(Thread::getName)
                .toList();
    }
}
