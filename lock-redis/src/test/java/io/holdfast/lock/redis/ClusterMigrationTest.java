package io.holdfast.lock.redis;

import static io.holdfast.parts.Waits.letPass;
import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockListener;
import io.holdfast.parts.Proves;
import io.holdfast.parts.StoreAssertions;
import io.holdfast.servers.RedisCluster;
import io.holdfast.servers.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A slot moves to another master, key by key, with locks held and waited for. */
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("ClusterMigrationTest")
class ClusterMigrationTest extends ClusterScene {

    private static final String LOCK = "held{m}";

    private static RedisCluster cluster;

    private RedisServer from;
    private RedisServer to;

    @BeforeAll
    static void start() {
        cluster = RedisCluster.start();
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    /** Tokens come from the counter alone, as if the servers' clocks had been set back. */
    @BeforeEach
    void putCounterAhead() {
        from = cluster.master(lockKey());
        to = cluster.nodes().stream()
                .limit(3)
                .filter(node -> node != from)
                .findFirst()
                .orElseThrow();
        from.command("SET", counterKey(), Long.toString((System.currentTimeMillis() + 3_600_000) * 1000));
    }

    /** Counts the renewals of a client with one lock. */
    private static final class Renewals implements LockListener {
        private final AtomicInteger done = new AtomicInteger();

        @Override
        public void renewed(LockEvent event) {
            done.incrementAndGet();
        }

        /** Waits for two: the first of them may have begun before. */
        private void awaitMore() {
            int before = done.get();
            soon().until(() -> done.get() >= before + 2);
        }
    }

    private static String lockKey() {
        return KEYS.lockKey(LOCK);
    }

    private static String counterKey() {
        return KEYS.counterKey(LOCK);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Proves("6.1")
    void holderAndWaiterGoOnWhileTheirSlotMoves(boolean counterFirst) throws Exception {
        Renewals renewals = new Renewals();
        try (LockClient client = LockClient.builder(uri(cluster, "lease=4s"))
                        .listener(renewals)
                        .build();
                LockClient other = connect(cluster, "failover=1m")) {
            LockHandle held = client.lock(LOCK).acquire();
            Future<LockHandle> wait = threads.submit(() -> other.lock(LOCK).acquire());
            awaitSubscriber(from, LOCK);

            cluster.beginMove(lockKey(), to);
            cluster.move(counterFirst ? counterKey() : lockKey(), from, to);
            renewals.awaitMore();
            cluster.move(counterFirst ? lockKey() : counterKey(), from, to);
            renewals.awaitMore();
            assertThat(held.isHeld()).isTrue();
            assertThat(wait).isNotDone();

            cluster.endMove(lockKey(), from, to);
            awaitSubscriber(to, LOCK);
            assertThat(held.release()).isTrue();
            try (LockHandle next = wait.get(20, TimeUnit.SECONDS)) {
                assertThat(next.fencingToken().value())
                        .isEqualTo(held.fencingToken().value() + 1);
            }
        }
    }

    @Test
    void freeLockIsGrantedOnceItsSlotHasMoved() throws Exception {
        try (LockClient client = connect(cluster, "");
                LockClient impatient = connect(cluster, "failover=0ms")) {
            long before;
            try (LockHandle held = client.lock(LOCK).acquire()) {
                before = held.fencingToken().value();
            }
            cluster.beginMove(lockKey(), to);
            StoreAssertions.assertFails(() -> client.lock(LOCK).tryAcquire(), "TRYAGAIN");
            StoreAssertions.assertFails(() -> impatient.lock(LOCK).acquire(), "TRYAGAIN");
            Future<LockHandle> wait = threads.submit(() -> client.lock(LOCK).acquire());
            letPass(Duration.ofSeconds(1));
            cluster.move(counterKey(), from, to);
            letPass(Duration.ofSeconds(1));
            assertThat(wait).isNotDone();
            cluster.endMove(lockKey(), from, to);
            try (LockHandle next = wait.get(20, TimeUnit.SECONDS)) {
                assertThat(next.fencingToken().value()).isGreaterThan(before);
            }
        }
    }

    @Test
    @Proves({"1.1", "6.1"})
    void tokensGrowWhileTheSlotMovesToAndFro() throws Exception {
        AtomicBoolean stop = new AtomicBoolean();
        AtomicLong holders = new AtomicLong();
        List<Long> tokens = Collections.synchronizedList(new ArrayList<>());
        List<Future<?>> workers = new ArrayList<>();
        try (LockClient one = connect(cluster, "failover=30s");
                LockClient two = connect(cluster, "failover=30s")) {
            for (LockClient client : List.of(one, one, two, two)) {
                DistributedLock lock = client.lock(LOCK);
                workers.add(threads.submit(() -> {
                    while (!stop.get()) {
                        try (LockHandle held = lock.acquire()) {
                            assertThat(holders.incrementAndGet()).isEqualTo(1);
                            tokens.add(held.fencingToken().value());
                            holders.decrementAndGet();
                        }
                    }
                    return null;
                }));
            }
            for (int round = 0; round < 10; round++) {
                int granted = tokens.size();
                soon().until(() -> tokens.size() > granted + 20);
                cluster.beginMove(lockKey(), to);
                for (String key :
                        round % 2 == 0 ? List.of(lockKey(), counterKey()) : List.of(counterKey(), lockKey())) {
                    letPass(Duration.ofMillis(30));
                    cluster.move(key, from, to);
                }
                // The holder of that moment may have left its key behind.
                cluster.move(lockKey(), from, to);
                cluster.endMove(lockKey(), from, to);
                RedisServer target = to;
                to = from;
                from = target;
            }
            stop.set(true);
            for (Future<?> worker : workers) {
                worker.get(30, TimeUnit.SECONDS);
            }
        }
        assertThat(tokens).isSorted().doesNotHaveDuplicates().hasSizeGreaterThan(200);
    }
}
