package io.holdfast.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.parts.TestClaim;
import io.holdfast.parts.Waits;
import io.holdfast.servers.CommandCount;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What Redlock costs, counted by the servers. */
class RedlockCostTest extends RedlockScene {

    private static final int ROUNDS = 100;

    private List<Long> requests() {
        return nodes.all().stream().map(CommandCount::ofClients).toList();
    }

    private void assertRequests(long each) {
        // An answer of the majority is enough for the caller; the others follow.
        Waits.soon().untilAsserted(() -> assertThat(requests()).containsOnly(each));
    }

    private void resetCounts() {
        nodes.all().forEach(server -> server.command("CONFIG", "RESETSTAT"));
    }

    /** After the first answers, by which the client learns the servers' time. */
    @Test
    void uncontendedAcquireAndReleaseAreOneRequestEachPerServer() {
        start(5);
        cycle(-1);
        Waits.soon()
                .until(() -> nodes.all().stream()
                        .allMatch(server -> server.command("DBSIZE").equals(1L)));
        resetCounts();
        IntStream.range(0, ROUNDS).forEach(round -> cycle(round));
        // A server that was slower than the others by a tenth of a second has to be told the token.
        Waits.soon()
                .untilAsserted(() -> assertThat(requests())
                        .allSatisfy(each -> assertThat(each).isGreaterThanOrEqualTo(2L * ROUNDS)));
        assertThat(requests().stream().mapToLong(Long::longValue).sum())
                .isLessThanOrEqualTo(5 * 2L * ROUNDS + ROUNDS / 10);
    }

    private void cycle(int round) {
        TestClaim claim = TestClaim.once(provider, name + round);
        assertThat(claim.granted()).isTrue();
        assertThat(claim.released()).isTrue();
    }

    @Test
    void refusedAttemptIsOneRequestPerServerAndItsReleaseIsNone() {
        start(5);
        hold();
        awaitLockedOnAll();
        resetCounts();
        TestClaim refused = TestClaim.once(provider, name);
        assertThat(refused.granted()).isFalse();
        assertThat(refused.released()).isFalse();
        assertRequests(1);
    }

    @Test
    void hundredRenewalsAreOneRequestEachPerServerInOneRound() {
        start(3);
        List<TestClaim> held = IntStream.range(0, provider.renewalBatch())
                .mapToObj(i -> TestClaim.once(provider, name + i))
                .toList();
        held.forEach(claim -> assertThat(claim.granted()).isTrue());
        Waits.soon()
                .untilAsserted(() -> assertThat(nodes.get(0).command("DBSIZE"))
                        .isEqualTo(1L + held.size())
                        .isEqualTo(nodes.get(1).command("DBSIZE"))
                        .isEqualTo(nodes.get(2).command("DBSIZE")));
        resetCounts();
        assertThat(provider.renewAll(held.stream().map(claim -> claim.claim).toList()))
                .allMatch(renewal -> renewal instanceof io.holdfast.lock.spi.Renewal.Held);
        assertRequests(held.size());
    }

    @Test
    void handOverToAWaitingClientIsByAMessage() throws Exception {
        nodes = nodes(5);
        String uri = "redlock://" + nodes.addresses() + "?" + PATIENT;
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
