package io.holdfast.lock.redisson;

import static io.holdfast.parts.StoreAssertions.assertFails;
import static io.holdfast.parts.StoreAssertions.assertWorks;
import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.UnsupportedCapabilityException;
import io.holdfast.lock.redisson.LockNaming.Topology;
import io.holdfast.lock.redisson.RedissonLockProvider.Layout;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.lock.spi.StoreTime;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import io.holdfast.servers.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.redisson.config.ShardedSubscriptionMode;

/** A client of a Redis Cluster, of one node: slots, and the channels that Redisson uses there. */
@Tag("server")
class ClusterTest {

    private static RedisServer node;

    @BeforeAll
    static void start() {
        node = RedisServer.start(
                "--cluster-enabled",
                "yes",
                "--cluster-announce-ip",
                "127.0.0.1",
                "--cluster-port",
                RedisServer.FREE_PORT);
        node.command("CLUSTER", "ADDSLOTSRANGE", "0", "16383");
        soon().until(() -> node.command("CLUSTER", "INFO").toString().contains("cluster_state:ok"));
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    private static RedissonClient client(ShardedSubscriptionMode mode) {
        Config config = new Config();
        config.useClusterServers()
                .addNodeAddress("redis://127.0.0.1:" + node.port())
                .setShardedSubscriptionMode(mode)
                .setMasterConnectionMinimumIdleSize(1);
        return Redisson.create(config);
    }

    @ParameterizedTest
    @CsvSource({"LOCK, AUTO", "LOCK, OFF", "FENCED, AUTO"})
    void locksExcludeAndWakeInBothDirections(Layout layout, ShardedSubscriptionMode mode) throws Exception {
        String name = "lock-" + layout + mode;
        ExecutorService threads = Executors.newSingleThreadExecutor();
        RedissonClient ours = client(mode);
        RedissonClient theirs = client(mode);
        try (RedissonLockProvider provider =
                RedissonLockProvider.over(ours).layout(layout).build()) {
            assertWorks(provider);
            TestClaim holder = TestClaim.once(provider, name);
            assertThat(holder.granted()).isTrue();
            assertThat(theirs.getLock(name).tryLock()).isFalse();
            long refusals = node.calls("pttl");
            Future<Boolean> waits = threads.submit(() -> {
                RLock lock = theirs.getLock(name);
                boolean locked = lock.tryLock(30, TimeUnit.SECONDS);
                TestClaim waiter = TestClaim.waiting(provider, name);
                assertThat(waiter.granted()).isFalse();
                soon().until(waiter::isHeard);
                int before = waiter.mayBeFree.get();
                lock.unlock();
                soon().atMost(Duration.ofSeconds(10)).until(() -> waiter.mayBeFree.get() > before);
                return locked && waiter.granted();
            });
            // Of the first attempt, and of the one that follows the subscription.
            soon().until(() -> node.calls("pttl") >= refusals + 2);
            assertThat(holder.released()).isTrue();

            // Less than the lease, at whose end a waiter of Redisson asks again.
            assertThat(waits.get(20, TimeUnit.SECONDS)).isTrue();
        } finally {
            threads.shutdownNow();
            ours.shutdown();
            theirs.shutdown();
        }
    }

    @ParameterizedTest
    @CsvSource({"LOCK", "FENCED"})
    void keysOfALockShareItsSlotAndNamesThatCannotAreRefused(Layout layout) {
        RedissonClient ours = client(ShardedSubscriptionMode.AUTO);
        try (RedissonLockProvider provider =
                RedissonLockProvider.over(ours).layout(layout).build()) {
            List<TestClaim> claims = List.of("plain", "{tag}", "a{tag}b", "ä 锁").stream()
                    .map(name -> TestClaim.once(provider, name + layout))
                    .toList();
            assertThat(claims).allMatch(TestClaim::granted);
            assertThat(provider.renewAll(
                            claims.stream().map(claim -> claim.claim).toList()))
                    .hasSize(4)
                    .allMatch(Renewal.Held.class::isInstance);
            // Each script would have failed if its keys were in several slots.
            assertThat(claims).allMatch(TestClaim::released);
            assertRefusedAsLocks(provider);
            for (String name : List.of("a{b", "a}b", "{}a", "}{a")) {
                assertThatThrownBy(() -> TestClaim.once(provider, name))
                        .isInstanceOf(LockConfigurationException.class)
                        .hasMessageContainingAll(name, "slots");
            }
        } finally {
            ours.shutdown();
        }
    }

    /** The keys that stay in the store are refused as names of locks. */
    private static void assertRefusedAsLocks(RedissonLockProvider provider) {
        List<?> keys = (List<?>) node.command("KEYS", "*token*");
        assertThat(keys).isNotEmpty();
        for (Object key : keys) {
            assertThatThrownBy(() -> TestClaim.once(provider, (String) key))
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageContainingAll((String) key, "not allowed");
        }
    }

    @Test
    void lockLeavesOneKeyInItsSlotAndNoneOfItsName() {
        RedissonClient ours = client(ShardedSubscriptionMode.AUTO);
        try (RedissonLockProvider provider = RedissonLockProvider.over(ours).build()) {
            node.command("FLUSHALL");
            for (int i = 0; i < 100; i++) {
                for (String name : List.of("{slot}" + i, "{x" + i % 10 + "}" + i)) {
                    TestClaim claim = TestClaim.once(provider, name);
                    assertThat(claim.granted()).isTrue();
                    assertThat(claim.released()).isTrue();
                }
            }
            List<?> left = (List<?>) node.command("KEYS", "*");
            assertThat(left).hasSize(11).allMatch(key -> ((String) key).matches("holdfast_redisson:\\{\\d+}:token"));
        } finally {
            ours.shutdown();
        }
    }

    @Test
    void nodeThatMayNotSayWhichItIsGrantsWithoutItsTime() {
        RedissonClient ours = client(ShardedSubscriptionMode.AUTO);
        try (RedissonLockProvider provider = RedissonLockProvider.over(ours).build()) {
            TestClaim claim = TestClaim.once(provider, "a");
            assertThat(ToldTime.of(claim.claim.attempt()))
                    .map(StoreTime::clock)
                    .contains(node.command("CLUSTER", "MYID"));
            node.command("ACL", "SETUSER", "default", "-cluster|myid");

            assertThat(ToldTime.of(claim.claim.attempt())).isEmpty();
            assertThat(ToldTime.of(claim.claim.renew())).isEmpty();
            assertThat(claim.released()).isTrue();
        } finally {
            node.command("ACL", "SETUSER", "default", "+cluster|myid");
            ours.shutdown();
        }
    }

    @Test
    void everySlotHasATag() {
        for (String key : List.of("x", "{x}", "a{tag}b", "ä 锁", "123456789", "{user1000}.following", "foo{{bar}}zap")) {
            assertThat(node.command("CLUSTER", "KEYSLOT", "{" + SlotTags.of(key) + "}"))
                    .as(key)
                    .isEqualTo(node.command("CLUSTER", "KEYSLOT", key));
        }
    }

    @Test
    @Proves("6.7")
    void tokensAreRaisedInEverySlot() {
        long above = 8_000_000_000_000_000L;
        RedissonClient ours = client(ShardedSubscriptionMode.AUTO);
        try (RedissonLockProvider provider = RedissonLockProvider.over(ours).build()) {
            node.command("FLUSHALL");
            provider.raiseTokens(above);

            assertThat(node.command("DBSIZE")).isEqualTo(16_384L);
            for (int i = 0; i < 100; i++) {
                assertThat(TestClaim.once(provider, "quiet-" + i).token()).isGreaterThan(above);
            }
            provider.raiseTokens(1);
            assertThat(provider.highestToken()).isBetween(above + 1, above + 100);

            node.command("SET", "holdfast_redisson:{" + SlotTags.of("quiet") + "}:token", "apple");
            assertFails(() -> provider.raiseTokens(above), "raise of counter", "is not a whole number");
            assertFails(provider::highestToken, "look-up of counter", "is not a whole number");
        } finally {
            node.command("FLUSHALL");
            ours.shutdown();
        }
    }

    @Test
    void nameMapperThatLeadsElsewhereLeavesNoTokensToRaise() {
        assertThat(mappedBy("app:").counters()).doesNotHaveDuplicates().hasSize(16_384);
        assertThatThrownBy(mappedBy("{app}:")::counters)
                .isInstanceOf(UnsupportedCapabilityException.class)
                .hasMessageContaining("name mapper");
    }

    private static LockNaming mappedBy(String prefix) {
        return new LockNaming(
                new RedissonVersion.Mapping(name -> prefix + name, name -> name), Topology.CLUSTER, Layout.LOCK);
    }
}
