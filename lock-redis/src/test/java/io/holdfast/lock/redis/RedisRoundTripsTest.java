package io.holdfast.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.redis.RedisLockProvider.Layout;
import io.holdfast.parts.Proves;
import io.holdfast.parts.RedisProxyScene;
import io.holdfast.parts.TestClaim;
import io.holdfast.parts.Waits;
import io.holdfast.servers.CommandCount;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the operations cost, counted by the server and on the wire. */
class RedisRoundTripsTest extends RedisProxyScene {

    private static final int HAND_OVERS = 50;

    /** A waiter refreshes its place in the line as often: on a machine that stands still that may come before its turn. */
    private static final Duration REFRESH = Duration.ofSeconds(5);

    private RedisLockProvider provider(Layout layout) {
        return RedisProviders.at("redis://127.0.0.1:" + proxy.port() + "?layout=" + layout);
    }

    @Proves("2.3")
    @ParameterizedTest
    @EnumSource
    void everyOperationTakesOneRoundTrip(Layout layout) {
        try (RedisLockProvider provider = provider(layout)) {
            // Opens the connection, and makes the server know the long scripts.
            TestClaim other = TestClaim.once(provider, "other");
            assertThat(other.granted()).isTrue();
            assertThat(other.released()).isTrue();
            for (int round = 0; round < 3; round++) {
                TestClaim claim = TestClaim.once(provider, "a" + round);
                long before = resetCounts();
                assertThat(claim.granted()).isTrue();
                assertCost(before, 1);
                assertThat(TestClaim.once(provider, "a" + round).granted()).isFalse();
                assertCost(before, 2);
                assertThat(claim.held()).isTrue();
                assertCost(before, 3);
                assertThat(claim.released()).isTrue();
                assertCost(before, 4);
            }
            assertThat(proxy.accepted()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void releaseOfARefusedClaimCostsNothing(Layout layout) {
        try (RedisLockProvider provider = provider(layout)) {
            // Opens the connection.
            provider.holder("other");
            assertReleaseOfARefusedClaimCostsNothing(provider);
        }
    }

    @ParameterizedTest
    @EnumSource
    void thousandRenewalsTakeTwoRoundTripsAndOneForThoseThatAreGone(Layout layout) {
        try (RedisLockProvider provider = provider(layout)) {
            assertThat(roundTripsOfAThousandRenewals(provider, "holdfast:")).isEqualTo(3);
        }
    }

    /**
     * The attempt of the next waiter takes its place, and the release grants it the lock. The first waiter has its place before
     * the counting.
     */
    @Test
    void handOverByTheStoreTakesOneReleaseAndOneAttempt() throws Exception {
        long start = System.nanoTime();
        long scripts = scriptsOfHandOvers(LockOptions.DEFAULTS.withHandOver(0));
        long refreshes = Duration.ofNanos(System.nanoTime() - start).dividedBy(REFRESH);

        assertThat(scripts).isBetween(2L * HAND_OVERS, 2L * HAND_OVERS + refreshes);
    }

    /** A claim is passed on 24 times: two claims serve fifty waiters. */
    @Test
    void handOverInsideAClientTakesNoCommand() throws Exception {
        assertThat(scriptsOfHandOvers(LockOptions.DEFAULTS.withHandOver(24))).isEqualTo(2L * 2);
    }

    private long scriptsOfHandOvers(LockOptions options) throws Exception {
        try (LockClient client = LockClient.connect("redis://127.0.0.1:" + proxy.port())) {
            // Before the counting: the connection, the scripts, the first waiter's attempt, and the subscription, whose
            // confirmation makes that waiter attempt again.
            client.lock("other").acquire().close();
            LockHandle first = client.lock("a", options).acquire();
            long before = attempts();
            List<CompletableFuture<Void>> waits = IntStream.range(0, HAND_OVERS)
                    .mapToObj(each -> client.lock("a", options).acquireAsync().thenAccept(LockHandle::close))
                    .toList();
            Waits.soon().until(() -> CommandCount.byName(server).containsKey("subscribe"));
            Waits.soon().until(() -> attempts() >= before + 2);
            awaitNoMoreAttempts();
            resetCounts();

            first.close();

            for (CompletableFuture<Void> wait : waits) {
                wait.get(30, TimeUnit.SECONDS);
            }
            Map<String, Long> commands = CommandCount.byName(server);
            return commands.get("evalsha");
        }
    }
}
