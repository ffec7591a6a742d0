package io.holdfast.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.redis.RedisLockProvider.Layout;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import io.holdfast.parts.Waits;
import io.holdfast.servers.CommandCount;
import io.holdfast.servers.TcpProxy.Direction;
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

    private RedisLockProvider provider(Layout layout) {
        return RedisProviders.at("redis://127.0.0.1:" + proxy.port() + "?layout=" + layout);
    }

    private void resetCounts() {
        server.command("CONFIG", "RESETSTAT");
    }

    private void assertCost(long before, int roundTrips) {
        assertThat(proxy.roundTrips() - before).isEqualTo(roundTrips);
        assertThat(CommandCount.ofClients(server)).isEqualTo(roundTrips);
    }

    @Proves("2.3")
    @ParameterizedTest
    @EnumSource
    void everyOperationTakesOneRoundTripFromTheFirstOn(Layout layout) {
        try (RedisLockProvider provider = provider(layout)) {
            // Opens the connection.
            provider.holder("other");
            for (int round = 0; round < 3; round++) {
                TestClaim claim = TestClaim.once(provider, "a" + round);
                resetCounts();
                long before = proxy.roundTrips();
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
            TestClaim.once(provider, "a").granted();
            TestClaim refused = TestClaim.once(provider, "a");
            refused.granted();
            refused.granted();
            resetCounts();
            long before = proxy.roundTrips();

            assertThat(refused.released()).isFalse();
            assertThat(TestClaim.once(provider, "a").released()).isFalse();
            assertCost(before, 0);
        }
    }

    @ParameterizedTest
    @EnumSource
    void thousandRenewalsTakeTwoRoundTrips(Layout layout) {
        try (RedisLockProvider provider = provider(layout)) {
            List<Claim> claims = IntStream.range(0, 1_000)
                    .mapToObj(i -> TestClaim.once(provider, "lock-" + i))
                    .filter(TestClaim::granted)
                    .map(claim -> claim.claim)
                    .toList();
            server.command("DEL", "holdfast:lock-7");
            int batch = provider.renewalBatch();
            // Replies that come while requests are still being sent would count as further round trips.
            proxy.delay(Direction.REPLIES, Duration.ofMillis(300));
            long before = proxy.roundTrips();

            for (int from = 0; from < claims.size(); from += batch) {
                List<Renewal> renewals = provider.renewAll(claims.subList(from, from + batch));
                assertThat(renewals).filteredOn(Renewal.Lost.class::isInstance).hasSize(from == 0 ? 1 : 0);
            }
            assertThat(batch).isEqualTo(500);
            assertThat(proxy.roundTrips() - before).isLessThanOrEqualTo(4);
        }
    }

    /** The next waiter attempts only after the answer to the release: an earlier attempt would be refused. */
    @Test
    void handOverBetweenThreadsTakesOneReleaseAndOneAttempt() throws Exception {
        try (LockClient client = LockClient.connect("redis://127.0.0.1:" + proxy.port())) {
            // Before the counting: the connection, the scripts, the first waiter's attempt, and the subscription.
            LockHandle first = client.lock("a").acquire();
            List<CompletableFuture<Void>> waits = IntStream.range(0, HAND_OVERS)
                    .mapToObj(each -> client.lock("a").acquireAsync().thenAccept(LockHandle::close))
                    .toList();
            Waits.soon().until(() -> CommandCount.byName(server).containsKey("subscribe"));
            resetCounts();

            first.close();

            for (CompletableFuture<Void> wait : waits) {
                wait.get(30, TimeUnit.SECONDS);
            }
            Map<String, Long> commands = CommandCount.byName(server);
            assertThat(commands.values().stream().mapToLong(Long::longValue).sum())
                    .isEqualTo(1 + 2L * HAND_OVERS);
        }
    }
}
