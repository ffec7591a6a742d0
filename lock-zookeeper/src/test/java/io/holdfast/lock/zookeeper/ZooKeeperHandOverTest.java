package io.holdfast.lock.zookeeper;

import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.parts.Proves;
import io.holdfast.parts.Refusals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The requests of a hand-over, and how long a lock stays free. Times depend on the machine, so requests are counted: the waiter
 * asks once, because its watch has fired, and connects only if its session ended. The bounds of the times tell causes apart: a
 * waiter polls 5 seconds after it was refused, so a lost wake-up shows.
 */
@Execution(ExecutionMode.CONCURRENT)
class ZooKeeperHandOverTest extends ZooKeeperProxyScene {

    private static final Duration BOUND = Duration.ofSeconds(30);

    /** For a hand-over that begins right after the refusal. */
    private static final Duration BEFORE_A_POLL = Duration.ofMillis(4_500);

    /** For one that begins later, when nothing is left to wait for but the wake-up. */
    private static final Duration BEFORE_THE_REST_OF_A_POLL = Duration.ofSeconds(2);

    private static final int PAIRS = 5;
    private static final int ROUNDS = 200;

    /** The waiter's node, the queue, the watch; the release; and the queue again. */
    private static final int REQUESTS = 3 + 1 + 1;

    private static final Duration HEARTBEAT = Duration.ofSeconds(10);

    private final Refusals refusals = new Refusals();
    private final List<Pair> pairs = new ArrayList<>();

    /** A holder of a lock, and a waiter in another session, through the proxy. */
    private record Pair(
            LockClient holder,
            ZooKeeperLockProvider holders,
            LockHandle held,
            LockClient waiter,
            ZooKeeperLockProvider waiters,
            CompletableFuture<LockHandle> next) {

        CompletableFuture<Duration> takenOver() {
            return timed(next);
        }
    }

    private static CompletableFuture<Duration> timed(CompletableFuture<LockHandle> next) {
        long before = System.nanoTime();
        return next.thenApply(granted -> Duration.ofNanos(System.nanoTime() - before));
    }

    @AfterEach
    void close() {
        for (Pair pair : pairs) {
            pair.waiter.close();
            pair.holder.close();
        }
    }

    private ZooKeeperLockProvider throughTheProxy() {
        return ZooKeeperProviders.at("zookeeper://127.0.0.1:" + proxy.port() + "/a?sessionTimeout=1m");
    }

    private LockClient countingRefusals(ZooKeeperLockProvider provider) {
        return LockClient.builder(provider).listener(refusals).build();
    }

    private void startPairs() throws InterruptedException {
        for (int i = 0; i < PAIRS; i++) {
            ZooKeeperLockProvider holders = ZooKeeperProviders.on(server, "/a?sessionTimeout=1m");
            LockClient holder = LockClient.builder(holders).build();
            LockHandle held = holder.lock("lock-" + i).acquire();
            ZooKeeperLockProvider waiters = throughTheProxy();
            LockClient waiter = countingRefusals(waiters);
            pairs.add(new Pair(
                    holder,
                    holders,
                    held,
                    waiter,
                    waiters,
                    waiter.lock("lock-" + i).acquireAsync()));
        }
        refusals.await(PAIRS);
    }

    private static void assertAllWithin(Duration bound, List<CompletableFuture<Duration>> handOvers) {
        assertThat(handOvers)
                .extracting(handOver ->
                        handOver.orTimeout(BOUND.toSeconds(), TimeUnit.SECONDS).join())
                .allMatch(time -> time.compareTo(bound) < 0);
    }

    @Proves("7.2")
    @Test
    void handOverTakesFiveRequestsAndOneMoreAfterALongWait() throws InterruptedException {
        try (LockClient one = countingRefusals(throughTheProxy());
                LockClient other = countingRefusals(throughTheProxy())) {
            other.lock("a").acquire().close();
            LockHandle held = one.lock("a").acquire();
            List<CompletableFuture<Duration>> handOvers = new ArrayList<>();
            long begun = System.nanoTime();
            long before = server.requests();
            int longWaits = 0;
            for (int round = 0; round < ROUNDS; round++) {
                long begunToWait = System.nanoTime();
                CompletableFuture<LockHandle> next =
                        (round % 2 == 0 ? other : one).lock("a").acquireAsync();
                refusals.await(1);
                handOvers.add(timed(next));
                held.close();
                held = next.orTimeout(BOUND.toSeconds(), TimeUnit.SECONDS).join();
                longWaits += System.nanoTime() - begunToWait < ProvenNode.RECENT.toNanos() ? 0 : 1;
            }
            long requests = server.requests() - before;
            long heartbeats =
                    2 * (1 + Duration.ofNanos(System.nanoTime() - begun).dividedBy(HEARTBEAT));

            assertThat(requests).isBetween((long) ROUNDS * REQUESTS, ROUNDS * REQUESTS + longWaits + heartbeats);
            assertThat(proxy.accepted()).isEqualTo(2);
            assertAllWithin(BEFORE_A_POLL, handOvers);
            held.close();
        }
    }

    @Proves({"2.1", "7.2"})
    @Test
    void waiterGetsTheLockAtOnceWhenTheHoldersSessionEnds() throws InterruptedException {
        startPairs();
        List<CompletableFuture<Duration>> handOvers = new ArrayList<>();
        for (Pair pair : pairs) {
            Operator.endSession(pair.holders.sessions().curator(), server);
            handOvers.add(pair.takenOver());
        }
        assertAllWithin(BEFORE_THE_REST_OF_A_POLL, handOvers);
        assertThat(proxy.accepted()).isEqualTo(PAIRS);
    }

    @Proves("7.2")
    @Test
    void waiterWithAnEndedSessionGetsTheLockOnReconnect() throws InterruptedException {
        startPairs();
        for (Pair pair : pairs) {
            Operator.endSession(pair.waiters.sessions().curator(), server);
            pair.held.release();
        }
        // Once after a second or two, to hear that the session is over, and once more at once, for the next session.
        soon().until(() -> proxy.accepted() >= PAIRS * 3);
        List<CompletableFuture<Duration>> handOvers =
                pairs.stream().map(Pair::takenOver).toList();
        assertAllWithin(BEFORE_THE_REST_OF_A_POLL, handOvers);
        assertThat(proxy.accepted()).isEqualTo(PAIRS * 3);
    }
}
