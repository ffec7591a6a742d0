package io.holdfast.lock.redis;

import static io.holdfast.parts.StoreAssertions.assertFails;
import static io.holdfast.parts.StoreAssertions.assertReleaseWakes;
import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.redis.RedisLockProvider.Layout;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import io.holdfast.servers.RedisCluster;
import io.holdfast.servers.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Locks in a cluster that is well. */
@Isolated("it counts requests and threads")
class ClusterCallsTest extends ClusterScene {

    private static final RedisCluster CLUSTER = SharedCluster.get();
    private static final List<String> NAMES = List.of("x1", "x2", "x3", "x4", "x{5}", "x{}6", "x{7", "}{");

    private static long sum(String command) {
        return CLUSTER.nodes().stream().mapToLong(node -> node.calls(command)).sum();
    }

    private static long requests() {
        return sum("eval") + sum("evalsha") + sum("asking") + sum("cluster|slots") + sum("hello");
    }

    private static RedisLockProvider provider(String query) {
        return RedisProviders.at(uri(CLUSTER, query));
    }

    @ParameterizedTest
    @EnumSource
    void everyOperationIsOneRequestToTheMasterOfItsKey(Layout layout) {
        try (RedisLockProvider provider = provider("layout=" + layout)) {
            // Reads the slots, and opens the connections.
            NAMES.forEach(provider::holder);
            for (String name : NAMES) {
                TestClaim claim = TestClaim.once(provider, name);
                long before = requests();
                long onMaster = CLUSTER.master(PREFIX + name).calls("eval")
                        + CLUSTER.master(PREFIX + name).calls("evalsha");
                assertThat(claim.granted()).isTrue();
                assertThat(TestClaim.once(provider, name).granted()).isFalse();
                assertThat(claim.held()).isTrue();
                assertThat(claim.released()).isTrue();
                assertThat(requests() - before).isEqualTo(4);
                assertThat(CLUSTER.master(PREFIX + name).calls("eval")
                                + CLUSTER.master(PREFIX + name).calls("evalsha")
                                - onMaster)
                        .isEqualTo(4);
            }
        }
    }

    @Test
    void replicasAreNeverAskedForALock() {
        try (RedisLockProvider provider = provider("")) {
            for (String name : NAMES) {
                assertThat(TestClaim.once(provider, name).granted()).isTrue();
                assertThat(provider.holder(name)).isPresent();
                CLUSTER.master(PREFIX + name).command("DEL", PREFIX + name);
            }
        }
        assertThat(CLUSTER.nodes().stream().skip(3))
                .allMatch(replica -> replica.calls("eval") + replica.calls("evalsha") == 0);
    }

    @Test
    void renewalOfManyClaimsIsOneRoundTripForEachMaster() {
        try (RedisLockProvider provider = provider("")) {
            List<TestClaim> claims = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                TestClaim claim = TestClaim.once(provider, "many-" + i);
                assertThat(claim.granted()).isTrue();
                claims.add(claim);
            }
            assertThat(provider.renewAll(
                            claims.stream().map(claim -> claim.claim).toList()))
                    .hasSize(100)
                    .allMatch(Renewal.Held.class::isInstance);
            assertThat(claims.stream()
                            .map(claim -> provider.renewalGroup(claim.claim))
                            .distinct())
                    .hasSize(3);
            claims.forEach(claim -> assertThat(claim.released()).isTrue());
        }
    }

    @ParameterizedTest
    @EnumSource
    void releaseWakesThroughTheShardOfTheLock(Layout layout) {
        try (RedisLockProvider provider = provider("prefix=wake:&layout=" + layout)) {
            for (String name : NAMES) {
                TestClaim holder = TestClaim.once(provider, name);
                assertThat(holder.granted()).isTrue();
                assertReleaseWakes(provider, holder, name);
                assertThat((List<?>)
                                CLUSTER.master("wake:" + name).command("PUBSUB", "SHARDCHANNELS", "wake:#*:" + name))
                        .hasSize(1);
                assertThat(CLUSTER.master("wake:" + name).command("EXISTS", "wake:" + name))
                        .isEqualTo(0L);
            }
        }
    }

    @Test
    void rightsOfThePageAreEnough() throws IOException {
        Matcher rules = Pattern.compile("(?m)^ACL SETUSER locks (.*)$")
                .matcher(Files.readString(Path.of("..", "docs", "backends", "redis.md")));
        List<String> words = new ArrayList<>(List.of("ACL", "SETUSER", "locks", "reset"));
        while (rules.find()) {
            words.addAll(List.of(rules.group(1).split(" ")));
        }
        CLUSTER.nodes().forEach(node -> node.command(words.toArray(String[]::new)));
        for (Layout layout : Layout.values()) {
            try (RedisLockProvider provider = provider("user=locks&password=secret&layout=" + layout)) {
                TestClaim holder = TestClaim.once(provider, "right");
                assertThat(holder.granted()).isTrue();
                assertThat(holder.held()).isTrue();
                assertReleaseWakes(provider, holder, "right");
            }
        }
        assertThat(CLUSTER.nodes()).allMatch(node -> ((List<?>) node.command("ACL", "LOG")).isEmpty());
    }

    @Test
    @Proves("9.3")
    void nothingIsLeftAfterTheClose() throws Exception {
        LockClient client = LockClient.connect(uri(CLUSTER, "clientName=leaving"));
        List<LockHandle> held = new ArrayList<>();
        List<Future<?>> waits = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            String name = "left-" + i;
            held.add(client.lock(name).acquire());
            waits.add(threads.submit(() -> client.lock(name).acquire()));
        }
        for (int i = 0; i < 9; i++) {
            awaitSubscriber(CLUSTER.master(PREFIX + "left-" + i), "left-" + i);
        }
        client.close();
        for (Future<?> wait : waits) {
            assertThat(wait).failsWithin(Duration.ofSeconds(10));
        }
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().equals("holdfast-redis-releases"));
        soon().until(() -> CLUSTER.nodes().stream()
                .noneMatch(node -> node.command("CLIENT", "LIST").toString().contains("name=leaving")));
        assertThat(held).noneMatch(LockHandle::isHeld);
    }

    @Test
    void failedDiscoveryIsRepeatedAndLeavesNothing() {
        int port = RedisServer.freePort();
        try (RedisLockProvider provider = RedisProviders.at("redis-cluster://127.0.0.1:" + port)) {
            assertFails(TestClaim.once(provider, "a")::granted, "127.0.0.1:" + port, "cannot connect");
            assertFails(() -> provider.holder("a"), "127.0.0.1:" + port, "cannot connect");
        }
        for (int i = 0; i < 5; i++) {
            try (RedisLockProvider provider = RedisProviders.at("redis-cluster://127.0.0.1:" + port + ",127.0.0.1:"
                    + CLUSTER.nodes().get(i).port())) {
                assertThat(provider.holder("a")).isEmpty();
            }
        }
    }

    @Test
    void singleServerIsNoCluster() {
        try (RedisServer single = RedisServer.start();
                RedisLockProvider provider = RedisProviders.at("redis-cluster://127.0.0.1:" + single.port())) {
            assertFails(TestClaim.once(provider, "a")::granted, "cluster support disabled");
        }
    }

    @Test
    void serverOfAClusterIsNoSingleServer() {
        RedisServer other = CLUSTER.nodes().stream()
                .limit(3)
                .filter(node -> node != CLUSTER.master(PREFIX + "a"))
                .findFirst()
                .orElseThrow();
        try (RedisLockProvider provider = RedisProviders.on(other, "")) {
            assertFails(TestClaim.once(provider, "a")::granted, "belongs to a cluster");
        }
    }

    @Test
    void manyThreadsDiscoverAtOnce() throws Exception {
        try (RedisLockProvider provider = RedisProviders.at(uri(CLUSTER, "").replace("127.0.0.1", "localhost"))) {
            List<Future<Boolean>> calls = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                String name = "at-once-" + i;
                calls.add(threads.submit(() -> TestClaim.once(provider, name).granted()));
            }
            for (Future<Boolean> call : calls) {
                assertThat(call.get(20, TimeUnit.SECONDS)).isTrue();
            }
        }
    }
}
