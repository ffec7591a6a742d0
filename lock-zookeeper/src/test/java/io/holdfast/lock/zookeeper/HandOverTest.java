package io.holdfast.lock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockListener;
import io.holdfast.parts.Proves;
import io.holdfast.servers.ZooKeeperServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * How long a lock stays free when a session ends while somebody waits. Both bounds are less than the 5 seconds to the next look of a
 * waiter, so a wake-up that was lost shows.
 */
@Execution(ExecutionMode.CONCURRENT)
class HandOverTest {

    private static final Duration SLACK = Duration.ofSeconds(2);

    /** What ZooKeeper's client waits before it connects to a single server again, at most. */
    private static final Duration PAUSE = Duration.ofSeconds(2);

    private static final int PAIRS = 5;

    private final ZooKeeperServer server = ZooKeeperServer.start();
    private final CountDownLatch waits = new CountDownLatch(PAIRS);
    private final List<Pair> pairs = new ArrayList<>();

    /** A holder of a lock, and somebody in another session who waits for it. */
    private record Pair(
            LockClient holder,
            ZooKeeperLockProvider holders,
            LockHandle held,
            LockClient waiter,
            ZooKeeperLockProvider waiters,
            CompletableFuture<LockHandle> next) {

        CompletableFuture<Duration> takenOver() {
            long before = System.nanoTime();
            return next.thenApply(granted -> Duration.ofNanos(System.nanoTime() - before));
        }
    }

    @AfterEach
    void close() {
        for (Pair pair : pairs) {
            pair.waiter.close();
            pair.holder.close();
        }
        server.close();
    }

    private void startPairs() throws InterruptedException {
        for (int i = 0; i < PAIRS; i++) {
            ZooKeeperLockProvider holders = Providers.on(server, "/a?sessionTimeout=1m");
            LockClient holder = LockClient.builder(holders).build();
            LockHandle held = holder.lock("lock-" + i).acquire();
            ZooKeeperLockProvider waiters = Providers.on(server, "/a?sessionTimeout=1m");
            LockClient waiter = LockClient.builder(waiters)
                    .listener(new LockListener() {
                        @Override
                        public void contended(LockEvent event) {
                            waits.countDown();
                        }
                    })
                    .build();
            pairs.add(new Pair(
                    holder,
                    holders,
                    held,
                    waiter,
                    waiters,
                    waiter.lock("lock-" + i).acquireAsync()));
        }
        assertThat(waits.await(30, TimeUnit.SECONDS)).isTrue();
    }

    private static void assertAllWithin(Duration bound, List<CompletableFuture<Duration>> handOvers) {
        assertThat(handOvers)
                .extracting(handOver -> handOver.orTimeout(30, TimeUnit.SECONDS).join())
                .allMatch(time -> time.compareTo(bound) < 0);
    }

    @Proves({"2.1", "7.2"})
    @Test
    void theNextOneHasTheLockAtOnceWhenTheHoldersSessionEnds() throws InterruptedException {
        startPairs();
        List<CompletableFuture<Duration>> handOvers = new ArrayList<>();
        for (Pair pair : pairs) {
            handOvers.add(pair.takenOver());
            Operator.endSession(pair.holders.sessions().curator(), server);
        }
        assertAllWithin(SLACK, handOvers);
    }

    @Proves("7.2")
    @Test
    void aWaiterWhoseSessionEndsHasTheLockOnceItsClientConnectsAgain() throws InterruptedException {
        startPairs();
        List<CompletableFuture<Duration>> handOvers = new ArrayList<>();
        for (Pair pair : pairs) {
            Operator.endSession(pair.waiters.sessions().curator(), server);
            handOvers.add(pair.takenOver());
            pair.held.release();
        }
        assertAllWithin(PAUSE.plus(SLACK), handOvers);
    }
}
