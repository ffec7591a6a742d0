package io.holdfast.lock.redisson;

import static io.holdfast.parts.StoreAssertions.assertWorks;
import static io.holdfast.parts.Waits.letPass;
import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.redisson.RedissonLockProvider.Layout;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.lock.tck.faults.TcpProxy.Direction;
import io.holdfast.parts.Proves;
import io.holdfast.parts.RedisProxyScene;
import io.holdfast.parts.TestClaim;
import io.holdfast.servers.CommandCount;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the operations cost, counted by the server and on the wire. */
class RedissonRoundTripsTest extends RedisProxyScene {

    private static final int HAND_OVERS = 50;

    private static final Pattern CALLS = Pattern.compile("cmdstat_(?!config|info)[^:]+:calls=(\\d+)");

    private RedissonLockProvider provider(Layout layout) {
        RedissonLockProvider provider =
                RedissonProviders.at("redisson://127.0.0.1:" + proxy.port() + "?layout=" + layout);
        // Connects, and lets the server know the scripts.
        assertWorks(provider);
        provider.holder("other");
        return provider;
    }

    @Proves("2.3")
    @ParameterizedTest
    @EnumSource
    void everyOperationTakesOneRoundTrip(Layout layout) {
        try (RedissonLockProvider provider = provider(layout)) {
            for (int round = 0; round < 3; round++) {
                TestClaim claim = TestClaim.once(provider, "a" + round);
                long before = resetCounts();
                assertThat(claim.granted()).isTrue();
                assertCost(before, 1);
                assertThat(TestClaim.once(provider, "a" + round).granted()).isFalse();
                assertCost(before, 2);
                assertThat(claim.held()).isTrue();
                assertCost(before, 3);
                assertThat(provider.holder("a" + round)).isPresent();
                assertCost(before, 4);
                assertThat(claim.released()).isTrue();
                assertCost(before, 5);
            }
        }
    }

    /** With the call of the script. The ordinary case is decided in front of the functions that the others need. */
    @Test
    void usualOperationsTakeFewCommandsInTheServer() {
        try (RedissonLockProvider provider = provider(Layout.LOCK)) {
            TestClaim claim = TestClaim.once(provider, "a");
            assertCommands(7, claim::granted);
            assertCommands(4, () -> TestClaim.once(provider, "a").granted());
            assertCommands(4, claim::held);
            assertCommands(4, claim::released);
        }
    }

    private void assertCommands(int expected, Runnable operation) {
        server.command("CONFIG", "RESETSTAT");
        operation.run();
        String info = server.command("INFO", "commandstats").toString();
        assertThat(CALLS.matcher(info)
                        .results()
                        .mapToLong(command -> Long.parseLong(command.group(1)))
                        .sum())
                .as(info)
                .isEqualTo(expected);
    }

    /** The next waiter attempts only after the answer to the release: an earlier attempt would be refused. */
    @Test
    void handOverByTheStoreTakesOneReleaseAndOneAttempt() throws Exception {
        assertThat(commandsOfHandOvers(Layout.LOCK, 0)).isEqualTo(1 + 2L * HAND_OVERS);
    }

    /** A claim is passed on 24 times: two claims serve fifty waiters. */
    @ParameterizedTest
    @EnumSource
    void handOverInsideAClientTakesNoCommand(Layout layout) throws Exception {
        assertThat(commandsOfHandOvers(layout, 24)).isEqualTo(1 + 2L * 2);
    }

    private long commandsOfHandOvers(Layout layout, int handOver) throws Exception {
        LockOptions options = LockOptions.DEFAULTS.withHandOver(handOver);
        try (LockClient client = LockClient.connect("redisson://127.0.0.1:" + proxy.port() + "?layout=" + layout)) {
            // Before the counting: the connection, the scripts, the first waiter's attempt, and the subscription, whose
            // confirmation makes that waiter attempt again.
            client.lock("other").acquire().close();
            LockHandle first = client.lock("a", options).acquire();
            long before = attempts();
            List<CompletableFuture<Void>> waits = IntStream.range(0, HAND_OVERS)
                    .mapToObj(each -> client.lock("a", options).acquireAsync().thenAccept(LockHandle::close))
                    .toList();
            soon().until(() -> CommandCount.byName(server).containsKey("subscribe"));
            soon().until(() -> attempts() >= before + 2);
            awaitNoMoreAttempts();
            resetCounts();

            first.close();

            for (CompletableFuture<Void> wait : waits) {
                wait.get(30, TimeUnit.SECONDS);
            }
            return CommandCount.ofClients(server);
        }
    }

    @ParameterizedTest
    @EnumSource
    void releaseOfARefusedClaimCostsNothing(Layout layout) {
        try (RedissonLockProvider provider = provider(layout)) {
            assertReleaseOfARefusedClaimCostsNothing(provider);
        }
    }

    @ParameterizedTest
    @EnumSource
    void thousandRenewalsTakeTwoRoundTrips(Layout layout) {
        try (RedissonLockProvider provider = provider(layout)) {
            assertThat(roundTripsOfAThousandRenewals(provider, "")).isEqualTo(2);
        }
    }

    /** The digest, and the text: Redisson first tries the digest, loads the text, and tries again. */
    @Test
    void forgottenScriptIsSentByItsTextOnce() {
        try (RedissonLockProvider provider = provider(Layout.LOCK)) {
            TestClaim claim = TestClaim.once(provider, "a");
            server.command("SCRIPT", "FLUSH");
            long before = proxy.roundTrips();
            assertThat(claim.granted()).isTrue();
            assertThat(proxy.roundTrips() - before).isEqualTo(4);
            assertThat(claim.granted()).isTrue();
            assertThat(proxy.roundTrips() - before).isEqualTo(5);
        }
    }

    @Test
    void batchWithAForgottenScriptIsSentAgainAsABatch() {
        try (RedissonLockProvider provider = provider(Layout.LOCK)) {
            List<Claim> claims = IntStream.range(0, 100)
                    .mapToObj(i -> TestClaim.once(provider, "lock-" + i))
                    .filter(TestClaim::granted)
                    .map(claim -> claim.claim)
                    .toList();
            assertThat(provider.renewAll(claims)).hasSize(100).allMatch(Renewal.Held.class::isInstance);
            server.command("SCRIPT", "FLUSH");
            proxy.delay(Direction.REPLIES, Duration.ofMillis(500));
            long before = proxy.roundTrips();

            assertThat(provider.renewAll(claims)).hasSize(100).allMatch(Renewal.Held.class::isInstance);

            // The batch, the single call that finds the script missing, its load, that call
            // again, the rest of the batch.
            assertThat(proxy.roundTrips() - before).isEqualTo(5);
        }
    }

    @Execution(ExecutionMode.CONCURRENT)
    @Test
    void twoHundredWaitersTakeOneSubscriptionAndAtMostTwentyCommandsInFiveSeconds() {
        ExecutorService threads = Executors.newFixedThreadPool(200);
        LockClient client =
                LockClient.connect("redisson://127.0.0.1:" + proxy.port() + "?timeout=20s&connectTimeout=20s");
        try (LockClient holder = LockClient.connect("redisson://127.0.0.1:" + server.port());
                LockHandle held = holder.lock("a").tryAcquire().orElseThrow()) {
            client.holder("a");
            server.command("CONFIG", "RESETSTAT");

            List<Future<LockHandle>> waits = IntStream.range(0, 200)
                    .mapToObj(i -> threads.submit(() -> client.lock("a").acquire()))
                    .toList();
            letPass(Duration.ofSeconds(5));

            assertThat(server.calls("subscribe")).isEqualTo(1);
            assertThat(CommandCount.ofClients(server)).isBetween(2L, 20L);
            assertThat(waits).noneMatch(Future::isDone);
            assertThat(held.isHeld()).isTrue();
        } finally {
            client.close();
            threads.shutdownNow();
        }
    }
}
