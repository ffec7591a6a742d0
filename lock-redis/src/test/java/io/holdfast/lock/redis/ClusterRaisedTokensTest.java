package io.holdfast.lock.redis;

import static io.holdfast.parts.StoreAssertions.assertFails;
import static io.holdfast.parts.Waits.answered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import io.holdfast.servers.RedisCluster;
import io.holdfast.servers.RedisServer;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Raising the tokens of a cluster, which has a counter for each slot. */
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("ClusterRaisedTokensTest")
class ClusterRaisedTokensTest extends ClusterScene {

    private static final long ABOVE = 8_000_000_000_000_000L;

    /** How many of a master's keys have another value; it has only counters then. */
    private static final String OTHERS =
            "local n = 0 for _, key in ipairs(redis.call('KEYS', '*')) do if redis.call('GET', key) ~= ARGV[1] then n = n + 1 end end return n";

    private static RedisCluster cluster;

    @BeforeAll
    static void start() {
        // Longer than a busy machine keeps a node waiting.
        cluster = RedisCluster.start("--cluster-node-timeout", "3000");
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @BeforeEach
    void empty() {
        cluster.awaitReady();
        masters().forEach(master -> master.command("FLUSHALL"));
    }

    /** Of the first, the middle and the last slot. */
    private static List<RedisServer> masters() {
        return IntStream.of(0, HashTags.SLOTS / 2, HashTags.SLOTS - 1)
                .mapToObj(slot -> cluster.master("{" + HashTags.of(slot) + "}"))
                .toList();
    }

    private static RedisLockProvider provider() {
        return RedisProviders.at(uri(cluster, "timeout=10s"));
    }

    @Test
    @Proves("6.7")
    void tokensAreRaisedInEverySlot() {
        try (RedisLockProvider provider = provider();
                RedisLockProvider other = provider()) {
            provider.raiseTokens(ABOVE);

            assertThat(masters().stream()
                            .mapToLong(master -> (Long) master.command("DBSIZE"))
                            .sum())
                    .isEqualTo(HashTags.SLOTS);
            assertThat(masters())
                    .allMatch(master -> master.command("EVAL", OTHERS, "0", Long.toString(ABOVE))
                            .equals(0L));
            for (int i = 0; i < 100; i++) {
                assertThat(TestClaim.once(other, "quiet-" + i).token()).isGreaterThan(ABOVE);
            }
            provider.raiseTokens(1);
            assertThat(other.highestToken()).isBetween(ABOVE + 1, ABOVE + 100);
        }
    }

    @Test
    @Proves("6.7")
    void tokensOfOneNameAreRaisedInItsSlot() {
        try (RedisLockProvider provider = provider()) {
            for (int i = 0; i < 10; i++) {
                String name = "quiet-" + i;
                provider.raiseTokens(name, ABOVE);
                assertThat(TestClaim.once(provider, name).token()).isEqualTo(ABOVE + 1);
            }
        }
    }

    @Test
    void highestTokenIsTheGreatestOfAllSlots() {
        try (RedisLockProvider provider = provider()) {
            String counter = KEYS.counterKey("quiet");
            cluster.master(counter).command("SET", counter, Long.toString(ABOVE));

            assertThat(provider.highestToken()).isEqualTo(ABOVE);
        }
    }

    @Test
    void oneDamagedCounterFailsTheWhole() {
        try (RedisLockProvider provider = provider()) {
            String counter = KEYS.counterKey("quiet");
            cluster.master(counter).command("SET", counter, "apple");

            assertFails(() -> provider.raiseTokens(ABOVE), "raise of fencing counter '" + counter + "'", "is 'apple'");
            assertFails(provider::highestToken, "look-up of fencing counter '" + counter + "'", "is 'apple'");
        }
    }

    @Test
    void raiseAboveTheLimitIsRefusedBeforeAnythingIsWritten() {
        try (RedisLockProvider provider = provider()) {
            assertThatThrownBy(() -> provider.raiseTokens(Long.MAX_VALUE))
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageContainingAll("9223372036854775807", "9007199254740990");
            assertThat(masters()).allMatch(master -> master.command("DBSIZE").equals(0L));
        }
    }

    /** Where the counter is when it is raised: nowhere yet, still here, or there already. */
    @ParameterizedTest
    @ValueSource(strings = {"nowhere", "here", "there"})
    @Proves("6.7")
    void tokensAreRaisedInASlotThatMoves(String where) {
        String lock = KEYS.lockKey("moving");
        String counter = KEYS.counterKey("moving");
        RedisServer from = cluster.master(lock);
        RedisServer to =
                masters().stream().filter(master -> master != from).findFirst().orElseThrow();
        try (RedisLockProvider provider = provider()) {
            if (!where.equals("nowhere")) {
                from.command("SET", counter, "5");
            }
            cluster.beginMove(lock, to);
            if (where.equals("there")) {
                cluster.move(counter, from, to);
            }

            provider.raiseTokens(ABOVE);

            cluster.move(counter, from, to);
            cluster.endMove(lock, from, to);
            assertThat(TestClaim.once(provider, "moving").token()).isEqualTo(ABOVE + 1);
        }
    }

    @Test
    @Proves("6.7")
    void raiseFailsWhileAMasterHangsAndCanBeRepeated() {
        RedisServer master = masters().get(1);
        String name = namesOn(cluster, master, 1).get(0);
        RedisServer replica = cluster.replica(master);
        try (RedisLockProvider provider = RedisProviders.at(uri(cluster, "timeout=1s"))) {
            master.pause();
            try {
                assertFails(() -> provider.raiseTokens(ABOVE), "fencing counter");
                cluster.awaitMaster(replica);
                answered().until(() -> {
                    provider.raiseTokens(ABOVE);
                    return true;
                });
                assertThat(TestClaim.once(provider, name).token()).isGreaterThan(ABOVE);
            } finally {
                master.resume();
            }
        }
    }

    @Test
    void raiseIsToldWhenTheReplicasOfEveryMasterHaveIt() {
        RedisServer replica = cluster.replica(masters().get(2));
        try (RedisLockProvider provider =
                RedisProviders.at(uri(cluster, "timeout=10s&replicas=1&replicaTimeout=200ms"))) {
            answered().until(() -> {
                provider.raiseTokens(ABOVE);
                return true;
            });
            replica.pause();
            try {
                assertFails(() -> provider.raiseTokens(ABOVE), "but only 0 of 1 replicas have confirmed that");
            } finally {
                replica.resume();
            }
        }
    }
}
