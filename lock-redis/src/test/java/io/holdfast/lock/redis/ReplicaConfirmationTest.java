package io.holdfast.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockStoreException;
import io.holdfast.parts.Proves;
import io.holdfast.parts.Providers;
import io.holdfast.parts.TestClaim;
import io.holdfast.parts.Waits;
import io.holdfast.servers.RedisServer;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.RedisClient;

/** Grants that replicas confirm, on a master with two replicas. */
@Tag("full")
@Tag("server")
class ReplicaConfirmationTest extends SentinelScene {

    private RedisServer master;

    @BeforeEach
    void findMaster() {
        keepMaster();
        master = sentinels.master();
        Waits.soon().until(() -> master.command("WAIT", "2", "100").equals(2L));
        master.command("CONFIG", "RESETSTAT");
    }

    private Stream<RedisServer> replicas() {
        return sentinels.servers().stream().filter(server -> server != master);
    }

    /** How many changes of its data the master has counted. */
    private long changes() {
        return master.command("INFO", "persistence")
                .toString()
                .lines()
                .filter(line -> line.startsWith("rdb_changes_since_last_save:"))
                .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(':') + 1)))
                .sum();
    }

    @ParameterizedTest
    @EnumSource
    void grantIsToldWhenTheReplicasHaveIt(RedisLockProvider.Layout layout) {
        try (RedisLockProvider provider = provider("replicas=2&replicaTimeout=10s&layout=" + layout)) {
            TestClaim holder = TestClaim.once(provider, "a");
            assertThat(holder.granted()).isTrue();
            assertThat(master.calls("wait")).isEqualTo(1);
            assertThat(sentinels.servers())
                    .allMatch(server -> server.command("EXISTS", "holdfast:a").equals(1L));
            assertThat(TestClaim.once(provider, "a").granted()).isFalse();
            assertThat(holder.held()).isTrue();
            assertThat(holder.released()).isTrue();
            assertThat(master.calls("wait")).as("only grants are confirmed").isEqualTo(1);
        }
    }

    @Proves({"1.6", "5.6"})
    @ParameterizedTest
    @EnumSource
    void grantThatTooFewReplicasHaveIsTakenBackAndSaysSo(RedisLockProvider.Layout layout) {
        replicas().forEach(RedisServer::pause);
        try (LockClient client = connect("replicas=1&replicaTimeout=50ms&lease=10m&layout=" + layout);
                LockClient other = connect("layout=" + layout)) {
            assertThatThrownBy(() -> client.lock("a").tryAcquire())
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("acquire of lock 'a'")
                    .hasMessageContaining("it was granted, but only 0 of 1 replicas have confirmed that within 50 ms")
                    .hasMessageContaining("the grant is taken back");
            Waits.soon().until(() -> {
                var free = other.lock("a").tryAcquire();
                free.ifPresent(LockHandle::close);
                return free.isPresent();
            });
        } finally {
            replicas().forEach(RedisServer::resume);
        }
    }

    /** The connection that wrote the grant is lost: only what was written on the new one can be confirmed there. */
    @Proves("1.3")
    @ParameterizedTest
    @EnumSource
    void repeatedGrantIsConfirmedByAWriteOfItsOwn(RedisLockProvider.Layout layout) {
        try (RedisLockProvider provider = provider("replicas=1&replicaTimeout=2s&layout=" + layout)) {
            TestClaim holder = TestClaim.once(provider, "a");
            assertThat(holder.granted()).isTrue();
            replicas().forEach(RedisServer::pause);
            long changesBefore = changes();
            master.command("CLIENT", "KILL", "TYPE", "normal");
            assertThatThrownBy(holder::granted)
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("only 0 of 1 replicas");
            assertThat(changes()).isGreaterThan(changesBefore);
        } finally {
            replicas().forEach(RedisServer::resume);
        }
    }

    @Test
    void refusedWaitIsNoGrant() {
        master.command("ACL", "SETUSER", "nowait", "on", ">secret", "~*", "&*", "+@all", "-wait");
        String uri = "redis://nowait:secret@" + master.host() + ":" + master.port();
        try (RedisLockProvider provider = RedisProviders.at(uri + "?replicas=1");
                RedisLockProvider other = RedisProviders.at(uri)) {
            TestClaim refused = TestClaim.once(provider, "a");
            assertThatThrownBy(refused::granted)
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining(
                            "it was granted, but the server refused to say which replicas have it: NOPERM");
            assertThat(refused.released()).isTrue();
            assertThat(TestClaim.once(other, "a").granted()).isTrue();
        }
    }

    @Test
    void givenClientConfirmsToo() {
        try (RedisClient jedis = RedisClient.create(master.host(), master.port());
                RedisLockProvider provider = RedisLockProvider.over(jedis)
                        .confirmedBy(2, Duration.ofSeconds(10))
                        .build()) {
            assertThat(TestClaim.once(provider, "a").granted()).isTrue();
            assertThat(master.calls("wait")).isEqualTo(1);
            assertThatThrownBy(() -> RedisLockProvider.over(jedis).confirmedBy(101, Duration.ofSeconds(1)))
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageContaining("The number of replicas is 101; allowed are 0 to 100");
            assertThatThrownBy(() -> RedisLockProvider.over(jedis).confirmedBy(1, Duration.ZERO))
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageContaining("allowed are PT0.001S to PT10M");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "redis://h?replicas=101 | The parameter 'replicas' is '101'; allowed are",
                "redis://h?replicas=-1 | The parameter 'replicas' is '-1'; allowed are",
                "redis-cluster://h?replicaTimeout=0ms | 'replicaTimeout' is '0ms'; allowed are 1ms to 10m",
            })
    void parametersAreChecked(String uri, String message) {
        assertThatThrownBy(() -> Providers.open(new RedisLockProviderFactory(), uri, Map.of()))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining(message);
    }
}
