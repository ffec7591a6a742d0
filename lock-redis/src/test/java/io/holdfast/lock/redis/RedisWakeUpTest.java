package io.holdfast.lock.redis;

import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.redis.RedisLockProvider.Layout;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimRequest.Intent;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.parts.TestClaim;
import io.holdfast.servers.CommandCount;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** When waiters are woken, and the cost. */
class RedisWakeUpTest extends WakeUpScene {

    /** How many idle names the engine keeps subscribed. */
    private static final int MOST_IDLE = 64;

    private static final int ROUNDS_OF_SHORT_WAITS = 40;

    @ParameterizedTest
    @EnumSource
    void releaseWakesOnlyTheWaitersOfItsLock(Layout layout) {
        try (RedisLockProvider here = RedisProviders.on(server, layout);
                RedisLockProvider there = RedisProviders.on(server, layout)) {
            TestClaim holder = holder(there, "a");
            holder(there, "b");
            TestClaim waiter = waiter(here, "a");
            TestClaim other = waiter(here, "b");
            awaitSignals(waiter, 1);
            awaitSignals(other, 1);

            holder.released();

            awaitSignals(waiter, 2);
            assertThat(waiter.granted()).isTrue();
            assertThat(other.mayBeFree).hasValue(1);
        }
    }

    @Test
    void confirmedSubscriptionWakesItsWaitersOnce() {
        holder(provider, "a");
        TestClaim first = waiter(provider, "a");
        awaitSignals(first, 1);
        TestClaim second = waiter(provider, "a");

        assertThat(second.granted()).isFalse();
        assertThat(first.mayBeFree).hasValue(1);
        assertThat(second.mayBeFree)
                .as("it was subscribed to before its attempt")
                .hasValue(0);
    }

    @Test
    void singleAttemptNeverSubscribes() {
        holder(provider, "a");
        TestClaim.once(provider, "a").granted();

        assertThat(CommandCount.byName(server)).doesNotContainKey("subscribe");
    }

    @Test
    void waiterGrantedAtOnceNeverSubscribes() {
        TestClaim waiter = TestClaim.waiting(provider, "a");
        assertThat(waiter.granted()).isTrue();
        waiter.released();

        assertThat(CommandCount.byName(server)).doesNotContainKey("subscribe");
    }

    @Test
    void handOversSubscribeOncePerClient() throws Exception {
        try (LockClient one = LockClient.connect(uri());
                LockClient two = LockClient.connect(uri())) {
            LockHandle held = one.lock("a").acquire();
            for (int i = 1; i <= 20; i++) {
                CompletableFuture<LockHandle> next =
                        (i % 2 == 0 ? one : two).lock("a").acquireAsync();
                if (i <= 2) {
                    awaitSubscribers("a", i);
                }
                held.release();
                held = next.get(PROMPT.toMillis(), TimeUnit.MILLISECONDS);
            }
            held.release();
        }
        assertThat(server.calls("subscribe")).isEqualTo(2);
        assertThat(server.calls("unsubscribe")).isZero();
    }

    @Test
    void idleSubscriptionsAreLimited() throws InterruptedException {
        try (LockClient client = LockClient.connect(uri())) {
            for (int i = 0; i < MOST_IDLE + 20; i++) {
                holder(provider, "lock-" + i);
                assertThat(client.lock("lock-" + i).tryAcquire(Duration.ofMillis(1)))
                        .isEmpty();
            }
            soon().untilAsserted(() ->
                    assertThat((List<?>) server.command("PUBSUB", "CHANNELS")).hasSize(MOST_IDLE));
        }
    }

    private String uri() {
        return "redis://" + server.host() + ":" + server.port();
    }

    @Test
    void longWaitAfterAShortOneIsWokenByTheRelease() throws Exception {
        for (int round = 0; round < ROUNDS_OF_SHORT_WAITS; round++) {
            String name = "lock-" + round;
            try (LockClient here = LockClient.connect(uri());
                    LockClient there = LockClient.connect(uri())) {
                LockHandle held = there.lock(name).acquire();
                // The first wait of a client opens its connection, which takes about as long as these waits.
                here.lock("warm").tryAcquire().orElseThrow().release();
                assertThat(here.lock(name).tryAcquire(Duration.ofMillis(1 + round % 5)))
                        .isEmpty();

                CompletableFuture<LockHandle> next = here.lock(name).acquireAsync();
                awaitSubscribers(name, 1, PROMPT);
                held.release();
                next.get(PROMPT.toMillis(), TimeUnit.MILLISECONDS).release();
            }
        }
    }

    @Test
    void throwingSignalDoesNotKeepOthersFromBeingWoken() {
        TestClaim holder = holder(provider, "a");
        Claim broken = provider.newClaim(
                new ClaimRequest("a", "broken", "broken", TestClaim.LEASE, Intent.WAIT, TestClaim.CLAIMANT),
                new BrokenSignals());
        assertThat(broken.attempt()).isInstanceOf(Attempt.Contended.class);
        TestClaim waiter = waiter(provider, "a");
        awaitSignals(waiter, 1);

        holder.released();

        awaitSignals(waiter, 2);
        assertThat(server.calls("subscribe")).as("the connection outlived it").isEqualTo(1);
    }

    private static final class BrokenSignals implements ClaimSignals {
        @Override
        public void mayBeFree() {
            throw new AssertionError("thrown by the test");
        }

        @Override
        public void lost(LossCause cause) {}
    }
}
