package io.holdfast.lock.redisson;

import static io.holdfast.parts.StoreAssertions.assertWorks;
import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.lock.tck.faults.TcpProxy.Direction;
import io.holdfast.parts.RedisProxyScene;
import io.holdfast.parts.TestClaim;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** How long a call takes at most, as on the backend's page. */
@Tag("full")
class TimeLimitTest extends RedisProxyScene {

    private static final Duration TIMEOUT = Duration.ofSeconds(4);

    /** For a busy machine; less than a third time-out. */
    private static final Duration ROOM = Duration.ofMillis(3_800);

    private static final Executor NEW_THREAD = task -> new Thread(task).start();

    private RedissonClient withOneConnection() {
        Config config = Redissons.config(proxy.port());
        config.useSingleServer().setConnectionPoolSize(1);
        return Redisson.create(config);
    }

    private static void assertFailsWithin(Duration limit, Supplier<?> call) {
        long before = System.nanoTime();
        Throwable failure = catchThrowable(call::get);
        Duration taken = Duration.ofNanos(System.nanoTime() - before);
        assertThat(failure).isInstanceOf(LockStoreException.class);
        assertThat(taken).isLessThan(limit.plus(ROOM));
    }

    private static List<Claim> held(RedissonLockProvider provider, int number) {
        return IntStream.range(0, number)
                .mapToObj(i -> TestClaim.once(provider, "lock-" + i))
                .filter(TestClaim::granted)
                .map(claim -> claim.claim)
                .toList();
    }

    @Test
    void callTakesAtMostTwoTimeOuts() {
        RedissonClient redisson = withOneConnection();
        try (RedissonLockProvider provider =
                RedissonLockProvider.over(redisson).timeout(TIMEOUT).build()) {
            List<Claim> claims = held(provider, 3);
            List<Supplier<?>> calls = List.of(
                    TestClaim.once(provider, "b")::granted,
                    () -> claims.get(0).renew(),
                    () -> provider.renewAll(claims),
                    () -> provider.holder("a"),
                    () -> claims.get(1).release());
            for (Supplier<?> call : calls) {
                server.pause();
                long before = proxy.bytes(Direction.REQUESTS);
                CompletableFuture<?> occupying = CompletableFuture.supplyAsync(() -> provider.holder("a"), NEW_THREAD);
                soon().until(() -> proxy.bytes(Direction.REQUESTS) > before);
                assertFailsWithin(TIMEOUT.multipliedBy(2), call);
                server.resume();
                assertThat(catchThrowable(occupying::join)).hasCauseInstanceOf(LockStoreException.class);
                // Requests of the pause are answered first.
                soon().ignoreExceptionsInstanceOf(LockStoreException.class)
                        .until(() -> provider.holder("a").isEmpty());
            }
        } finally {
            server.resume();
            redisson.shutdown();
        }
    }

    @Test
    void batchSentAgainInPartsTakesAtMostTwoTimeOuts() {
        RedissonClient redisson = withOneConnection();
        try (RedissonLockProvider provider =
                RedissonLockProvider.over(redisson).timeout(TIMEOUT).build()) {
            List<Claim> claims = held(provider, 3);
            assertThat(provider.renewAll(claims)).hasSize(3).allMatch(Renewal.Held.class::isInstance);
            server.command("SCRIPT", "FLUSH");
            // Each answer comes in time, but five of them do not.
            proxy.delay(Direction.REPLIES, TIMEOUT.multipliedBy(8).dividedBy(10));

            long before = System.nanoTime();
            List<Renewal> renewals = provider.renewAll(claims);

            assertThat(Duration.ofNanos(System.nanoTime() - before))
                    .isLessThan(TIMEOUT.multipliedBy(2).plus(ROOM));
            assertThat(renewals).hasSize(3).allMatch(Renewal.Unknown.class::isInstance);
        } finally {
            redisson.shutdown();
        }
    }

    @Test
    void firstCallMayAlsoConnect() {
        server.pause();
        Config lazy = Redissons.config(proxy.port());
        lazy.setLazyInitialization(true);
        RedissonClient redisson = Redisson.create(lazy);
        String uri = "redisson://127.0.0.1:" + proxy.port() + "?timeout=" + TIMEOUT.toMillis() + "ms&connectTimeout="
                + TIMEOUT.toMillis() + "ms";
        try (RedissonLockProvider own = RedissonProviders.at(uri);
                RedissonLockProvider given =
                        RedissonLockProvider.over(redisson).timeout(TIMEOUT).build()) {
            assertFailsWithin(TIMEOUT.multipliedBy(3), () -> own.holder("a"));
            assertFailsWithin(TIMEOUT.multipliedBy(3), () -> given.holder("a"));
            server.resume();
            soon().ignoreExceptionsInstanceOf(LockStoreException.class)
                    .until(() -> own.holder("a").isEmpty());
            assertWorks(own);
        } finally {
            server.resume();
            redisson.shutdown();
        }
    }

    /** Redisson's default is one to two seconds, independent of its time-outs. */
    @Execution(ExecutionMode.CONCURRENT)
    @Test
    void subscriptionMayTakeAsLongAsACall() {
        try (RedissonLockProvider provider =
                RedissonProviders.at("redisson://127.0.0.1:" + proxy.port() + "?timeout=20s&connectTimeout=20s")) {
            TestClaim holder = TestClaim.once(provider, "a");
            assertThat(holder.granted()).isTrue();
            proxy.delay(Direction.REPLIES, Duration.ofMillis(2_200));
            TestClaim waiter = TestClaim.waiting(provider, "a");
            waiter.refused();

            // The first signal is that of the subscription, also if it failed.
            soon().until(() -> waiter.mayBeFree.get() > 0);
            int before = waiter.mayBeFree.get();
            proxy.pass(Direction.REPLIES);
            assertThat(holder.released()).isTrue();

            soon().until(() -> waiter.mayBeFree.get() > before);
        }
    }
}
