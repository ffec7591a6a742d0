package io.holdfast.lock.redis;

import static io.holdfast.parts.Waits.answered;
import static io.holdfast.parts.Waits.letPass;
import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.parts.Proves;
import io.holdfast.servers.RedisCluster;
import io.holdfast.servers.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A shard fails, with locks held and waited for there and elsewhere. */
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("ClusterFailOverTest")
class ClusterFailOverTest extends ClusterScene {

    /** Below the 5 s after which a waiter polls, and long for a slow machine. */
    private static final Duration PROMPT = Duration.ofSeconds(4);

    private static RedisCluster cluster;

    @BeforeAll
    static void start() {
        // Longer than a busy machine keeps a node waiting; and the other shards answer while one has no master.
        cluster = RedisCluster.start("--cluster-node-timeout", "3000", "--cluster-require-full-coverage", "no");
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @BeforeEach
    void awaitCluster() {
        cluster.awaitReady();
    }

    @Test
    @Proves("3.6")
    void pausedShardDelaysNoRenewalOnAHealthyOne() throws Exception {
        RedisServer paused = cluster.master(PREFIX + "a");
        // Holders on all shards, of a lease that is shorter than the time-out of a request to the paused one, and over
        // before another node takes its place.
        try (LockClient client = connect(cluster, "lease=3s&timeout=5s")) {
            List<LockHandle> healthy = new ArrayList<>();
            List<LockHandle> doomed = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                String name = "stock-" + i;
                LockHandle handle = client.lock(name).acquire();
                (cluster.master(PREFIX + name) == paused ? doomed : healthy).add(handle);
            }
            assertThat(healthy).hasSizeGreaterThan(5);
            assertThat(doomed).hasSizeGreaterThan(2);

            RedisServer replica = cluster.replica(paused);
            paused.pause();
            try {
                letPass(Duration.ofMillis(3400));
                assertThat(healthy).allMatch(LockHandle::isHeld);
                assertThat(doomed).noneMatch(LockHandle::isHeld);
                cluster.awaitMaster(replica);
                letPass(Duration.ofMillis(3100));
                assertThat(healthy).allMatch(LockHandle::isHeld);
            } finally {
                paused.resume();
            }
            healthy.forEach(LockHandle::close);
        }
    }

    @Test
    void holderAndWaiterGoOnAfterAPlannedFailOver() throws Exception {
        RedisServer master = cluster.master(PREFIX + "b");
        RedisServer replica = cluster.replica(master);
        try (LockClient client = connect(cluster, "lease=4s");
                LockClient other = connect(cluster, "")) {
            LockHandle held = client.lock("b").acquire();
            Future<LockHandle> wait = threads.submit(() -> other.lock("b").acquire());
            awaitSubscriber(master, "b");

            cluster.failOver(master);
            awaitSubscriber(replica, "b");
            letPass(Duration.ofSeconds(4));
            assertThat(held.isHeld()).isTrue();
            assertThat(wait).isNotDone();
            long released = System.nanoTime();
            assertThat(held.release()).isTrue();

            try (LockHandle next = wait.get(20, TimeUnit.SECONDS)) {
                assertThat(Duration.ofNanos(System.nanoTime() - released)).isLessThan(PROMPT);
                assertThat(next.fencingToken()).isGreaterThan(held.fencingToken());
            }
        }
    }

    /** Nothing but renewals asks the cluster where the master is. */
    @Test
    @Tag("full")
    void clientThatOnlyRenewsFindsTheNewMaster() throws InterruptedException {
        RedisServer master = cluster.master(PREFIX + "d");
        RedisServer replica = cluster.replica(master);
        try (LockClient client = connect(cluster, "lease=15s&timeout=1s")) {
            LockHandle held = client.lock("d").acquire();
            soon().until(() -> replica.command("DBSIZE").equals(master.command("DBSIZE")));
            master.kill();
            letPass(Duration.ofSeconds(9));
            letPass(Duration.ofSeconds(9));
            assertThat(held.isHeld()).isTrue();
        } finally {
            master.restart();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"dies", "hangs"})
    void holderAndWaiterGoOnWhenAMaster(String what) throws Exception {
        RedisServer master = cluster.master(PREFIX + "c");
        RedisServer replica = cluster.replica(master);
        try (LockClient client = connect(cluster, "lease=30s");
                LockClient other = connect(cluster, "lease=30s&failover=30s")) {
            LockHandle held = client.lock("c").acquire();
            Future<LockHandle> wait = threads.submit(() -> other.lock("c").acquire());
            awaitSubscriber(master, "c");
            soon().until(() -> replica.command("DBSIZE").equals(master.command("DBSIZE")));

            if (what.equals("dies")) {
                master.kill();
            } else {
                master.pause();
            }
            cluster.awaitMaster(replica);
            awaitSubscriber(replica, "c");
            assertThat(wait).isNotDone();
            // A request to a master that hangs fails once, and the next one goes to the new master.
            answered().until(() -> client.holder("c").isPresent());
            long released = System.nanoTime();
            assertThat(held.release()).isTrue();

            try (LockHandle next = wait.get(20, TimeUnit.SECONDS)) {
                assertThat(Duration.ofNanos(System.nanoTime() - released)).isLessThan(PROMPT);
                assertThat(next.fencingToken()).isGreaterThan(held.fencingToken());
            }
            assertThat(other.lock("c").tryAcquire()).isPresent();
        } finally {
            if (what.equals("dies")) {
                master.restart();
            } else {
                master.resume();
            }
        }
    }
}
