package io.holdfast.lock.zookeeper;

import static io.holdfast.parts.Waits.letPass;
import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.lock.tck.faults.TcpProxy.Direction;
import io.holdfast.parts.Proves;
import io.holdfast.parts.Refusals;
import io.holdfast.parts.TestClaim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The cost of each operation, as the server counts requests. The sessions are long enough for heartbeats every 10 seconds. */
@Tag("full")
class CostTest extends ZooKeeperProxyScene {

    private static final int HAND_OVERS = 50;
    private static final int MOST_ROUNDS = 5;
    /** A claim is passed on for so long. */
    private static final Duration LONGEST_HAND_OVERS = Duration.ofSeconds(1);
    /** A waiter waits for longer between two of them. */
    private static final Duration SAFETY_POLL = Duration.ofSeconds(4);

    private static final Duration HEARTBEAT = Duration.ofSeconds(10);

    private final ZooKeeperLockProvider provider =
            ZooKeeperProviders.at("zookeeper://127.0.0.1:" + proxy.port() + "/a?sessionTimeout=5m");

    @BeforeEach
    void makeTheLocksNode() {
        TestClaim first = TestClaim.once(provider, "a");
        assertThat(first.granted()).isTrue();
        assertThat(first.released()).isTrue();
    }

    @AfterEach
    void close() {
        provider.close();
    }

    private long requestsOf(Runnable action) {
        long before = server.requests();
        action.run();
        return server.requests() - before;
    }

    /** The round trips of an action that sends so many requests before it needs an answer. */
    private long roundTripsOf(int together, Runnable action) {
        // Else a pause of the client would let the first answer come before the second request is out.
        proxy.hold(Direction.REPLIES);
        long before = proxy.roundTrips();
        long requests = server.requests();
        CompletableFuture<Void> running = CompletableFuture.runAsync(action);
        soon().until(() -> running.isDone() || server.requests() - requests >= together);
        proxy.pass(Direction.REPLIES);
        running.orTimeout(30, TimeUnit.SECONDS).join();
        return proxy.roundTrips() - before;
    }

    @Test
    void askingForTheCountIsNotCounted() {
        assertThat(requestsOf(server::requests)).isZero();
    }

    /** The first claim was {@link #makeTheLocksNode}'s. */
    @Test
    void acquireTakesTwoRequestsAndFromTheThirdInARowOnOneAndReleaseOne() {
        for (int requests : new int[] {2, 1, 1, 1}) {
            TestClaim claim = TestClaim.waiting(provider, "a");

            assertThat(requestsOf(() -> assertThat(claim.granted()).isTrue())).isEqualTo(requests);
            assertThat(requestsOf(() -> assertThat(claim.held()).isTrue())).isEqualTo(1);
            assertThat(requestsOf(() -> assertThat(claim.released()).isTrue())).isEqualTo(1);
            assertThat(requestsOf(claim::released)).isZero();
        }
    }

    @Test
    void acquireRenewalAndReleaseTakeOneRoundTripEach() {
        TestClaim claim = TestClaim.waiting(provider, "a");

        assertThat(roundTripsOf(2, () -> assertThat(claim.granted()).isTrue())).isEqualTo(1);
        assertThat(roundTripsOf(1, () -> assertThat(claim.held()).isTrue())).isEqualTo(1);
        assertThat(roundTripsOf(1, () -> assertThat(claim.released()).isTrue())).isEqualTo(1);
    }

    @Test
    void holderTakesThreeRequestsInTwoRoundTripsAndTwoInOneIfThereIsNone() {
        assertThat(requestsOf(() -> assertThat(provider.holder("a")).isEmpty())).isEqualTo(2);
        assertThat(roundTripsOf(2, () -> assertThat(provider.holder("a")).isEmpty()))
                .isEqualTo(1);
        TestClaim claim = TestClaim.once(provider, "a");
        assertThat(claim.granted()).isTrue();

        assertThat(requestsOf(() -> assertThat(provider.holder("a")).isPresent()))
                .isEqualTo(3);
        assertThat(roundTripsOf(2, () -> assertThat(provider.holder("a")).isPresent()))
                .isEqualTo(2);
        assertThat(claim.released()).isTrue();
    }

    @Test
    void raisedTokensCostNoRoundTripOnceTheirOffsetIsKnown() {
        try (ZooKeeperLockProvider other = ZooKeeperProviders.on(server, "/a?sessionTimeout=5m")) {
            other.raiseTokens(1_000_000_000_000L);
        }
        TestClaim first = TestClaim.waiting(provider, "a");
        // Its answers come after the event of the raise: from now on the offset has to be read.
        assertThat(provider.holder("a")).isEmpty();
        assertThat(roundTripsOf(4, () -> assertThat(first.granted()).isTrue())).isEqualTo(2);
        assertThat(first.released()).isTrue();

        TestClaim second = TestClaim.waiting(provider, "a");
        assertThat(roundTripsOf(1, () -> assertThat(second.granted()).isTrue())).isEqualTo(1);
        assertThat(second.released()).isTrue();
        TestClaim third = TestClaim.waiting(provider, "a");
        assertThat(requestsOf(() -> assertThat(third.granted()).isTrue())).isEqualTo(1);
    }

    @Test
    void manyRenewalsTakeOneRoundTrip() {
        List<TestClaim> holders = IntStream.range(0, 20)
                .mapToObj(i -> TestClaim.once(provider, "lock " + i))
                .toList();
        holders.forEach(holder -> assertThat(holder.granted()).isTrue());

        assertThat(roundTripsOf(20, () -> assertRenewed(holders))).isEqualTo(1);
    }

    private void assertRenewed(List<TestClaim> holders) {
        List<Claim> claims = holders.stream().map(holder -> holder.claim).toList();
        assertThat(provider.renewAll(claims)).hasSize(holders.size()).allMatch(Renewal.Held.class::isInstance);
    }

    @Test
    void nestedAcquireCostsNothingAndARefusedOneDeletesItsNode() throws InterruptedException {
        try (LockClient client = LockClient.builder(ZooKeeperProviders.on(server, "/a?sessionTimeout=5m"))
                .build()) {
            DistributedLock lock = client.lock("a");
            lock.acquire().close();
            long before = server.requests();
            try (LockHandle outer = lock.acquire()) {
                assertThat(server.requests() - before).isEqualTo(2);
                try (LockHandle inner = lock.acquire()) {
                    assertThat(inner.fencingToken()).isEqualTo(outer.fencingToken());
                }
                assertThat(server.requests() - before).isEqualTo(2);
                assertThat(requestsOf(() -> TestClaim.once(provider, "a").refused()))
                        .isEqualTo(3);
            }
            assertThat(server.requests() - before).isEqualTo(2 + 3 + 1);
        }
    }

    @Proves("7.2")
    @Test
    void predecessorLeavingBeforeTheWatchIsSetIsNoticed() {
        ZooKeeperLockProvider other = ZooKeeperProviders.on(server, "/a?sessionTimeout=5m");
        TestClaim holder = TestClaim.once(other, "a");
        assertThat(holder.granted()).isTrue();
        TestClaim waiter = TestClaim.waiting(provider, "a");
        proxy.hold(Direction.REPLIES);
        long before = server.requests();
        CompletableFuture<Boolean> attempt = CompletableFuture.supplyAsync(waiter::granted);
        // The node is created and the queue read; the client does not know it yet.
        soon().until(() -> server.requests() - before >= 2);

        assertThat(holder.released()).isTrue();
        proxy.pass(Direction.REPLIES);

        assertThat(attempt.orTimeout(30, TimeUnit.SECONDS).join()).isTrue();
        assertThat(provider.watches().size()).isZero();
        other.close();
    }

    @Proves("1.1")
    @Test
    void nodeDeletedTogetherWithItsPredecessorIsCreatedAgain() {
        try (Operator operator = Operator.of(server);
                ZooKeeperLockProvider other = ZooKeeperProviders.on(server, "/a?sessionTimeout=5m")) {
            assertThat(TestClaim.once(other, "a").granted()).isTrue();
            TestClaim waiter = TestClaim.waiting(provider, "a");
            proxy.hold(Direction.REPLIES);
            CompletableFuture<Boolean> attempt = CompletableFuture.supplyAsync(waiter::granted);
            soon().until(() -> operator.queue("/a/a").size() == 2);
            operator.deleteFirst("/a/a");
            operator.deleteFirst("/a/a");
            proxy.pass(Direction.REPLIES);

            assertThat(attempt.orTimeout(30, TimeUnit.SECONDS).join()).isTrue();
            assertThat(operator.queue("/a/a")).hasSize(1);
            assertThat(waiter.held()).isTrue();
        }
    }

    @Test
    void waiterCostsNothingAndReleaseWakesOne() {
        TestClaim holder = TestClaim.once(provider, "a");
        holder.granted();
        List<TestClaim> queue = IntStream.range(0, 50)
                .mapToObj(i -> TestClaim.waiting(provider, "a"))
                .toList();
        queue.forEach(TestClaim::refused);
        assertThat(requestsOf(() -> letPass(Duration.ofSeconds(1)))).isZero();

        assertThat(requestsOf(() -> {
                    holder.released();
                    soon().until(() -> queue.get(0).mayBeFree.get() > 0);
                }))
                .isEqualTo(1);

        // They share a connection, whose answers come after all events of the release.
        assertThat(queue.get(0).granted()).isTrue();
        assertThat(queue.get(0).mayBeFree).hasValue(1);
        assertThat(queue.subList(1, 50)).allMatch(claim -> claim.mayBeFree.get() == 0);
    }

    @Test
    void hundredWaitersTakeAtMostTwoReadsInSixSeconds() throws InterruptedException {
        Refusals refusals = new Refusals();
        try (LockClient holding = LockClient.builder(ZooKeeperProviders.on(server, "/a?sessionTimeout=5m"))
                        .build();
                LockClient waiting = LockClient.builder(ZooKeeperProviders.on(server, "/a?sessionTimeout=5m"))
                        .listener(refusals)
                        .build()) {
            LockOptions unrenewed = LockOptions.DEFAULTS.withoutRenewal();
            LockHandle held = holding.lock("a", unrenewed).acquire();
            List<CompletableFuture<LockHandle>> waiters = new ArrayList<>();
            waiters.add(waiting.lock("a").acquireAsync());
            refusals.await(1);

            long begun = System.nanoTime();
            long requests = requestsOf(() -> {
                for (int i = 1; i < 100; i++) {
                    waiters.add(waiting.lock("a").acquireAsync());
                }
                letPass(Duration.ofSeconds(6));
            });
            // More than six seconds on a slow machine.
            Duration time = Duration.ofNanos(System.nanoTime() - begun);

            // The two reads of each safety poll, and the heartbeats of the three sessions.
            long polls = time.dividedBy(SAFETY_POLL);
            long heartbeats = 3 * (1 + time.dividedBy(HEARTBEAT));
            assertThat(requests).isLessThanOrEqualTo(2 * polls + heartbeats);

            assertThat(waiters).noneMatch(CompletableFuture::isDone);
            assertThat(held.isHeld()).isTrue();
        }
    }

    /** The release that wakes the first waiter, its second attempt, by a new proof, and the release of the last one. */
    @Test
    void handOverInsideAClientTakesNoRequest() throws Exception {
        for (int round = 1; !assertHandOverTakesNoRequest("a" + round); round++) {
            assertThat(round).as("rounds in which the machine stood still").isLessThan(MOST_ROUNDS);
        }
    }

    /** Returns false if it took so long that the claim was given up between two hand-overs. */
    private boolean assertHandOverTakesNoRequest(String name) throws Exception {
        Refusals refusals = new Refusals();
        try (LockClient client = LockClient.builder(ZooKeeperProviders.on(server, "/a?sessionTimeout=5m"))
                .listener(refusals)
                .build()) {
            DistributedLock lock = client.lock(name, LockOptions.DEFAULTS.withHandOver(HAND_OVERS));
            LockHandle first = lock.acquire();
            List<CompletableFuture<Long>> waits = IntStream.rangeClosed(0, HAND_OVERS)
                    .mapToObj(each -> lock.acquireAsync().thenApply(CostTest::tokenOfReleased))
                    .toList();
            refusals.await(1);
            // Its watch is set now, or it asks once more for nothing; and the creation of its node proves no more.
            letPass(ProvenNode.RECENT.plusMillis(50));

            long begun = System.nanoTime();
            long requests = requestsOf(() -> {
                first.close();
                waits.forEach(wait -> wait.orTimeout(30, TimeUnit.SECONDS).join());
            });
            if (System.nanoTime() - begun >= LONGEST_HAND_OVERS.toNanos()) {
                return false;
            }
            assertThat(requests).isEqualTo(1 + 2 + 1);
            long token = waits.get(0).join();
            assertThat(waits)
                    .extracting(CompletableFuture::join)
                    .containsExactlyElementsOf(LongStream.rangeClosed(token, token + HAND_OVERS)
                            .boxed()
                            .toList());
        }
        return true;
    }

    private static long tokenOfReleased(LockHandle handle) {
        try (handle) {
            return handle.fencingToken().value();
        }
    }

    @Test
    void attemptsBehindOneHolderShareOneWatch() {
        TestClaim holder = TestClaim.once(provider, "a");
        holder.granted();
        List<TestClaim> passed = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            TestClaim passing = TestClaim.waiting(provider, "a");
            passing.refused();
            passing.released();
            passed.add(passing);
        }
        TestClaim staying = TestClaim.waiting(provider, "a");
        staying.refused();
        assertThat(provider.watches().size()).isEqualTo(1);

        holder.released();

        soon().until(() -> staying.mayBeFree.get() > 0);
        assertThat(staying.granted()).isTrue();
        assertThat(passed).allMatch(claim -> claim.mayBeFree.get() == 0);
    }
}
