package io.holdfast.lock.redis;

import static io.holdfast.parts.StoreAssertions.assertFails;
import static io.holdfast.parts.StoreAssertions.assertWorksAgain;
import static io.holdfast.parts.Waits.answered;
import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LossCause;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import io.holdfast.servers.RedisSentinels;
import io.holdfast.servers.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Another server becomes the master while a lock is held, renewed and waited for. */
@Execution(ExecutionMode.CONCURRENT)
class FailOverTest extends SentinelScene {

    /** How a master ceases to be one. */
    enum End {
        KILLED,
        PAUSED,
        DEMOTED
    }

    private RedisServer end(End end, RedisServer former) {
        switch (end) {
            case KILLED -> former.kill();
            case PAUSED -> former.pause();
            case DEMOTED -> {
                return sentinels.failOver();
            }
        }
        return sentinels.awaitMasterOtherThan(former);
    }

    @Proves("9.3")
    @ParameterizedTest
    @EnumSource
    void holderKeepsTheLockAndWaitersGoOn(End end) throws Exception {
        RedisServer former = sentinels.master();
        RedisServer master;
        try (LockClient holding = connect("timeout=500ms&lease=1m");
                LockClient waiting = connect("timeout=500ms&failover=100s")) {
            LockHandle held = holding.lock("a").acquire();
            CompletableFuture<LockHandle> next = waiting.lock("a").acquireAsync();
            awaitSubscribers(former, "a", 1, BOUND);
            awaitReplicated("holdfast:a");

            master = end(end, former);

            answered().until(held::renew);
            // The waiter's next poll finds the new master. A subscription that hangs would be
            // replaced after 30 seconds.
            awaitSubscribers(master, "a", 1, Duration.ofSeconds(15));
            assertThat(held.isHeld()).isTrue();
            assertThat(next).isNotDone();
            if (end == End.PAUSED) {
                former.resume();
            }
            held.close();
            LockHandle granted = next.get(BOUND.toSeconds(), TimeUnit.SECONDS);
            assertThat(granted.fencingToken().isNewerThan(held.fencingToken())).isTrue();
            granted.close();
            if (end != End.KILLED) {
                soon().until(() -> connections(former).isEmpty());
            }
        }
        assertThat(listeners()).isEmpty();
        soon().until(() -> connections(master).isEmpty());
        sentinels
                .sentinels()
                .forEach(sentinel -> soon().until(() -> connections(sentinel).isEmpty()));
    }

    /** As if the replication had not yet brought the lock there. */
    private void loseOnTheReplicas(String key) {
        sentinels.servers().stream()
                .filter(server -> server != sentinels.master())
                .forEach(replica -> {
                    replica.command("CONFIG", "SET", "replica-read-only", "no");
                    replica.command("DEL", key);
                });
    }

    @Test
    void holderLearnsBeforeItsDeadlineThatTheNewMasterLacksTheLock() throws Exception {
        RedisServer former = sentinels.master();
        // The lease is longer than the rare paths of the sentinels: a split vote is repeated after ten seconds, and a
        // stalled sentinel does nothing for thirty.
        try (LockClient client = connect("timeout=500ms&lease=1m")) {
            LockHandle held = client.lock("a").acquire();
            awaitReplicated("holdfast:a");
            loseOnTheReplicas("holdfast:a");
            long before = System.nanoTime();
            former.kill();

            // By a renewal: the first one comes after a third of the lease.
            assertThat(held.lost().toCompletableFuture().get(55, TimeUnit.SECONDS))
                    .isEqualTo(LossCause.TAKEN_OVER);
            assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofMinutes(1));
            try (LockHandle next = client.lock("a").acquire()) {
                assertThat(next.fencingToken().isNewerThan(held.fencingToken())).isTrue();
            }
        }
    }

    @Test
    void masterWithoutReplicasGrantsNothingUntilOneIsBack() {
        try (RedisSentinels careful =
                        RedisSentinels.start("--min-replicas-to-write", "1", "--min-replicas-max-lag", "1");
                RedisLockProvider provider = RedisProviders.at(uri(careful.addresses(), RedisSentinels.MASTER, ""))) {
            TestClaim holder = TestClaim.once(provider, "a");
            // The replicas of a busy machine may lag for a moment.
            answered().until(holder::granted);
            List<RedisServer> replicas = careful.servers().subList(1, 3);
            replicas.forEach(RedisServer::pause);

            // Another name each time: a lock that is taken is refused without a write.
            soon().untilAsserted(() ->
                    assertFails(TestClaim.once(provider, UUID.randomUUID().toString())::granted, "NOREPLICAS"));
            assertFails(holder::held, "NOREPLICAS");
            CompletableFuture<Boolean> waiting = CompletableFuture.supplyAsync(
                    () -> TestClaim.waiting(provider, "c").granted());
            replicas.get(0).resume();

            assertThat(waiting).succeedsWithin(BOUND).isEqualTo(true);
            answered().until(holder::held);
        }
    }

    @Test
    void locksGoOnWithoutSentinelsWhileTheMasterIsUp() throws InterruptedException {
        try (LockClient client = connect("timeout=5s")) {
            LockHandle held = client.lock("a").acquire();
            sentinels.sentinels().forEach(RedisServer::kill);

            assertThat(held.renew()).isTrue();
            assertThat(client.lock("b").tryAcquire()).isPresent();
            assertThat(client.lock("a").tryAcquireAsync(Duration.ofMillis(100)).join())
                    .isEmpty();
            held.close();
        }
        assertThat(listeners()).isEmpty();
    }

    @Test
    void restartedSentinelsAreHeardAgain() {
        try (RedisLockProvider provider = provider("timeout=500ms")) {
            assertWorksAgain(provider, "a");
            RedisServer former = sentinels.master();
            sentinels.sentinels().forEach(RedisServer::restart);
            former.kill();
            sentinels.awaitMasterOtherThan(former);

            assertWorksAgain(provider, "a");
        }
    }
}
