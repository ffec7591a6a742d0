package io.holdfast.lock.redis;

import static io.holdfast.parts.StoreAssertions.assertReleaseWakes;
import static io.holdfast.parts.Waits.answered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.redis.RedisLockProvider.Layout;
import io.holdfast.parts.TestClaim;
import io.holdfast.servers.RedisCluster;
import io.holdfast.servers.RedisServer;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** A cluster without sharded messages, as before Redis 7.0, that also serves while a shard is dead. */
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("OldClusterTest")
class OldClusterTest extends ClusterScene {

    private static RedisCluster cluster;

    @BeforeAll
    static void start() {
        cluster = RedisCluster.start(
                "--rename-command",
                "SPUBLISH",
                "",
                "--rename-command",
                "SSUBSCRIBE",
                "",
                "--cluster-require-full-coverage",
                "no");
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Test
    void releaseWakesByAClassicMessage() {
        for (Layout layout : Layout.values()) {
            try (RedisLockProvider provider = RedisProviders.at(uri(cluster, "layout=" + layout))) {
                for (String name : List.of("a", "b", "c", "d")) {
                    TestClaim holder = TestClaim.once(provider, name);
                    assertThat(holder.granted()).isTrue();
                    assertReleaseWakes(provider, holder, name);
                    assertThat(Subscribers.of(cluster.master(PREFIX + name), name))
                            .isEqualTo(1);
                }
            }
        }
    }

    @Test
    void otherShardsServeWhileOneIsDead() {
        RedisServer dead = cluster.master(PREFIX + "a");
        RedisServer replica = cluster.replica(dead);
        try (RedisLockProvider provider = RedisProviders.at(uri(cluster, "timeout=1s"))) {
            List<String> others = namesElsewhere(dead);
            replica.kill();
            dead.kill();
            for (String name : others) {
                TestClaim claim = TestClaim.once(provider, name);
                assertThat(claim.granted()).isTrue();
                assertReleaseWakes(provider, claim, name);
            }
            assertThatThrownBy(TestClaim.once(provider, "a")::granted).isInstanceOf(LockStoreException.class);
        } finally {
            dead.restart();
            replica.restart();
            cluster.awaitReady();
        }
        try (RedisLockProvider provider = RedisProviders.at(uri(cluster, ""))) {
            answered().until(TestClaim.once(provider, "a")::granted);
        }
    }

    private static List<String> namesElsewhere(RedisServer dead) {
        return List.of("a", "b", "c", "d", "e", "f", "g", "h").stream()
                .filter(name -> cluster.master(PREFIX + name) != dead)
                .toList();
    }
}
