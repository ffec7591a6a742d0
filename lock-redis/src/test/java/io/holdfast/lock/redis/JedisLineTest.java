package io.holdfast.lock.redis;

import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.redis.RedisLockProvider.Layout;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.parts.Providers;
import io.holdfast.parts.RedisServerScene;
import io.holdfast.parts.StoreAssertions;
import io.holdfast.parts.TestClaim;
import io.holdfast.parts.Waits;
import io.holdfast.servers.RedisCluster;
import io.holdfast.servers.RedisNodes;
import io.holdfast.servers.RedisSentinels;
import io.holdfast.servers.RedisServer;
import io.holdfast.servers.SelfSignedCertificate;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.UnifiedJedis;

/** What differs between the versions of Jedis that are supported. The build runs it with each of them. */
class JedisLineTest extends RedisServerScene {

    @Test
    void theJarOfThisLineIsTheOneThatIsTested() {
        String jar = "jedis-" + System.getProperty("line.version", "");
        assertThat(UnifiedJedis.class.getProtectionDomain().getCodeSource().getLocation())
                .asString()
                .contains("/" + jar);
        JedisVersion.requireSupported();
    }

    @ParameterizedTest
    @EnumSource
    void locksAndWakesOverAUri(Layout layout) {
        try (RedisLockProvider provider = RedisProviders.on(server, layout)) {
            locksAndWakes(provider);
        }
    }

    @ParameterizedTest
    @EnumSource
    void locksAndWakesOverEachKindOfGivenClient(Layout layout) {
        List<UnifiedJedis> clients = GivenClients.of(server);
        assertThat(clients).hasSizeGreaterThanOrEqualTo(2);
        for (UnifiedJedis client : clients) {
            try (client) {
                try (RedisLockProvider provider =
                        RedisLockProvider.over(client).layout(layout).build()) {
                    locksAndWakes(provider);
                }
                FenceScene.assertGuards(client);
                assertThat(client.ping()).isEqualTo("PONG");
                assertThat(GivenClient.pool(client).getNumActive()).isZero();
            }
        }
    }

    @Test
    void locksAndWakesOverSentinelsBeforeAndAfterAFailOver() {
        try (RedisSentinels sentinels = RedisSentinels.start()) {
            List<UnifiedJedis> clients = GivenClients.of(sentinels);
            assertThat(clients).hasSizeGreaterThanOrEqualTo(2);
            List<RedisLockProvider> providers = new ArrayList<>(clients.stream()
                    .map(client -> RedisLockProvider.over(client).build())
                    .toList());
            providers.add(
                    RedisProviders.at(SentinelScene.uri(sentinels.addresses(), RedisSentinels.MASTER, "timeout=2s")));
            providers.forEach(JedisLineTest::locksAndWakes);

            RedisServer master = sentinels.failOver();
            providers.forEach(provider -> StoreAssertions.assertWorksAgain(provider, "a"));
            providers.forEach(provider -> locksAndWakes(provider, "b"));
            // One that heard late of the fail-over subscribed at the former master at first.
            Waits.soon().until(() -> master.calls("subscribe") >= providers.size());

            providers.forEach(RedisLockProvider::close);
            clients.forEach(FenceScene::assertGuards);
            clients.forEach(client -> assertThat(client.ping()).isEqualTo("PONG"));
            clients.forEach(UnifiedJedis::close);
        }
    }

    @Test
    void locksAndWakesInACluster() {
        RedisCluster cluster = SharedCluster.get();
        try (RedisLockProvider provider = RedisProviders.at("redis-cluster://" + cluster.addresses())) {
            locksAndWakes(provider);
        }
        List<UnifiedJedis> clients = GivenClients.of(cluster);
        assertThat(clients).hasSizeGreaterThanOrEqualTo(2);
        for (UnifiedJedis client : clients) {
            try (client) {
                try (RedisLockProvider provider = RedisLockProvider.over(client).build()) {
                    locksAndWakes(provider);
                }
                assertThat(client.get("holdfast:a")).isNull();
                FenceScene.assertGuards(client);
            }
        }
    }

    @Test
    void locksAndWakesByAMajority() {
        try (RedisNodes nodes = RedisNodes.startDurable(3)) {
            try (LockProvider provider = Providers.open(
                    new RedlockLockProviderFactory(),
                    "redlock://" + nodes.addresses() + "?persistence=always&timeout=5s",
                    Map.of())) {
                locksAndWakes(provider, "a");
            }
            List<List<UnifiedJedis>> clients =
                    nodes.all().stream().map(GivenClients::of).toList();
            for (int kind = 0; kind < clients.get(0).size(); kind++) {
                int each = kind;
                List<UnifiedJedis> ofKind =
                        clients.stream().map(kinds -> kinds.get(each)).toList();
                try (LockProvider provider = RedlockLockProvider.over(ofKind)
                        .durable()
                        .timeout(Duration.ofSeconds(5))
                        .build()) {
                    locksAndWakes(provider, "a");
                }
                assertThat(ofKind).allMatch(client -> client.ping().equals("PONG"));
                ofKind.forEach(UnifiedJedis::close);
            }
        }
    }

    @Test
    void locksAndWakesOverTls(@TempDir Path directory) throws Exception {
        SelfSignedCertificate certificate = SelfSignedCertificate.create(directory, "ip:127.0.0.1");
        String store = URLEncoder.encode(certificate.store().toString(), StandardCharsets.UTF_8);
        try (RedisServer tls = RedisServer.startWithTls(certificate, "yes");
                RedisLockProvider provider = RedisProviders.at("rediss://127.0.0.1:" + tls.port("--tls-port")
                        + "?timeout=20s&connectTimeout=20s&trustStore=" + store + "&trustStorePassword="
                        + SelfSignedCertificate.PASSWORD + "&keyStore=" + store + "&keyStorePassword="
                        + SelfSignedCertificate.PASSWORD)) {
            locksAndWakes(provider);
        }
    }

    @Test
    void waiterIsWokenAndHolderHearsOfItsLoss() throws Exception {
        String uri = "redis://127.0.0.1:" + server.port() + "?lease=4s";
        ExecutorService threads = Executors.newSingleThreadExecutor();
        try (LockClient holder = LockClient.connect(uri);
                LockClient client = LockClient.connect(uri)) {
            LockHandle held = holder.lock("a").acquire();
            Future<LockHandle> wait = threads.submit(() -> client.lock("a").acquire());
            soon().until(() -> server.calls("subscribe") >= 1);
            held.close();
            LockHandle next = wait.get(30, TimeUnit.SECONDS);
            server.command("DEL", "holdfast:a");

            assertThat(next.lost().toCompletableFuture().get(30, TimeUnit.SECONDS))
                    .isEqualTo(LossCause.TAKEN_OVER);
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void closesWhileThePausedServerOwesAnAnswer() {
        RedisLockProvider provider = RedisProviders.on(server, "timeout=1s");
        TestClaim.once(provider, "a").granted();
        TestClaim waiter = TestClaim.waiting(provider, "a");
        waiter.granted();
        soon().until(() -> waiter.mayBeFree.get() >= 1);
        server.pause();
        try {
            assertTimeoutPreemptively(Duration.ofSeconds(5), provider::close);
        } finally {
            server.resume();
        }
    }

    private static void locksAndWakes(RedisLockProvider provider) {
        locksAndWakes(provider, "a");
    }

    private static void locksAndWakes(LockProvider provider, String name) {
        TestClaim holder = TestClaim.once(provider, name);
        assertThat(holder.granted()).isTrue();
        assertThat(holder.held()).isTrue();
        assertThat(provider.renewAll(List.of(holder.claim))).hasSize(1);
        assertThat(provider.holder(name)).isPresent();
        StoreAssertions.assertReleaseWakes(provider, holder, name);
    }

    @Test
    void clientWithoutAPoolIsRefusedByName() {
        try (UnifiedJedis other = GivenClients.unknown(server)) {
            assertThatThrownBy(() -> RedisLockProvider.over(other))
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageContaining(
                            "GivenClients$Unknown; allowed are RedisClient and JedisPooled for one server");
        }
    }
}
