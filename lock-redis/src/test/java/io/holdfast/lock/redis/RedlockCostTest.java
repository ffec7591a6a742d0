package io.holdfast.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.parts.TestClaim;
import io.holdfast.parts.Waits;
import io.holdfast.servers.CommandCount;
import io.holdfast.servers.RedisNodes;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What Redlock costs, counted by the servers. */
class RedlockCostTest extends RedlockScene {

    private static final int ROUNDS = 100;

    private static List<Long> requests(RedisNodes nodes) {
        return nodes.all().stream().map(CommandCount::ofClients).toList();
    }

    private static void assertRequests(RedisNodes nodes, long each) {
        // An answer of the majority is enough for the caller; the others follow.
        Waits.soon().untilAsserted(() -> assertThat(requests(nodes)).containsOnly(each));
    }

    private static void resetCounts(RedisNodes nodes) {
        nodes.all().forEach(server -> server.command("CONFIG", "RESETSTAT"));
    }

    /** After the first answers, by which the client learns the servers' time. */
    @Test
    void uncontendedAcquireAndReleaseAreOneRequestEachPerServer() {
        RedisNodes nodes = nodes(5);
        RedlockLockProvider provider = provider(nodes, ALWAYS);
        cycle(provider, -1);
        Waits.soon()
                .until(() -> nodes.all().stream()
                        .allMatch(server -> server.command("DBSIZE").equals(1L)));
        resetCounts(nodes);
        IntStream.range(0, ROUNDS).forEach(round -> cycle(provider, round));
        assertRequests(nodes, 2 * ROUNDS);
    }

    private void cycle(RedlockLockProvider provider, int round) {
        TestClaim claim = TestClaim.once(provider, name + round);
        assertThat(claim.granted()).isTrue();
        assertThat(claim.released()).isTrue();
    }

    @Test
    void refusedAttemptIsOneRequestPerServerAndItsReleaseIsNone() {
        RedisNodes nodes = nodes(5);
        RedlockLockProvider provider = provider(nodes, ALWAYS);
        assertThat(TestClaim.once(provider, name).granted()).isTrue();
        Waits.soon().untilAsserted(() -> assertThat(nodes.all()).allMatch(this::isLockedOn));
        resetCounts(nodes);
        TestClaim refused = TestClaim.once(provider, name);
        assertThat(refused.granted()).isFalse();
        assertThat(refused.released()).isFalse();
        assertRequests(nodes, 1);
    }

    @Test
    void hundredRenewalsAreOneRequestEachPerServerInOneRound() {
        RedisNodes nodes = nodes(3);
        RedlockLockProvider provider = provider(nodes, ALWAYS);
        List<TestClaim> held = IntStream.range(0, provider.renewalBatch())
                .mapToObj(i -> TestClaim.once(provider, name + i))
                .toList();
        held.forEach(claim -> assertThat(claim.granted()).isTrue());
        Waits.soon()
                .untilAsserted(() -> assertThat(nodes.get(0).command("DBSIZE"))
                        .isEqualTo(1L + held.size())
                        .isEqualTo(nodes.get(1).command("DBSIZE"))
                        .isEqualTo(nodes.get(2).command("DBSIZE")));
        resetCounts(nodes);
        assertThat(provider.renewAll(held.stream().map(claim -> claim.claim).toList()))
                .allMatch(renewal -> renewal instanceof io.holdfast.lock.spi.Renewal.Held);
        assertRequests(nodes, held.size());
    }

    @Test
    void handOverToAWaitingClientIsByAMessage() throws Exception {
        RedisNodes nodes = nodes(5);
        String uri = "redlock://" + nodes.addresses() + "?" + ALWAYS;
        try (LockClient first = LockClient.connect(uri);
                LockClient second = LockClient.connect(uri)) {
            for (int round = 0; round < ROUNDS; round++) {
                LockHandle handle = first.lock(name).acquire();
                CompletableFuture<LockHandle> waiter =
                        second.lock(name).acquireAsync().toCompletableFuture();
                handle.close();
                waiter.get(Waits.FAULT_BOUND.toSeconds(), TimeUnit.SECONDS).close();
            }
        }
    }
}
