package io.holdfast.lock.redis;

import static io.holdfast.lock.redis.FenceScene.assertStale;
import static io.holdfast.lock.redis.FenceScene.token;
import static io.holdfast.parts.StoreAssertions.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.servers.RedisCluster;
import io.holdfast.servers.RedisServer;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.RedisClusterClient;
import redis.clients.jedis.util.JedisClusterCRC16;

/** The guard in a cluster: a floor is where its key is. */
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("ClusterFenceTest")
class ClusterFenceTest extends ClusterScene {

    private static RedisCluster cluster;

    private RedisClusterClient jedis;
    private RedisFence fence;

    @BeforeAll
    static void start() {
        cluster = RedisCluster.start();
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @BeforeEach
    void connect() {
        jedis = RedisClusterClient.builder()
                .nodes(cluster.nodes().stream()
                        .map(node -> new HostAndPort(node.host(), node.port()))
                        .collect(Collectors.toSet()))
                .build();
        fence = FenceScene.over(jedis);
    }

    @AfterEach
    void disconnect() {
        jedis.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a", "", "a:{42}:b", "{42}", "{}a", "a{b", "}a{", "a}b", "{{42}}", "{a}{b}", "ü:{ö}", "a b"})
    void floorLiesInTheSlotOfItsKey(String key) {
        assertThat(JedisClusterCRC16.getSlot(KeySpace.floorKey(key))).isEqualTo(JedisClusterCRC16.getSlot(key));
        fence.set(key, "1", token(5));
        assertStale(() -> fence.set(key, "2", token(4)), 0, 5);
        assertThat(fence.get(key, token(5))).contains("1");
    }

    @Test
    void eachSlotHasItsFloors() {
        for (int i = 0; i < 300; i++) {
            fence.set("key " + i, "1", token(i + 2));
        }
        for (int i = 0; i < 300; i++) {
            int number = i;
            assertStale(() -> fence.set("key " + number, "2", token(number + 1)), 0, number + 2);
        }
    }

    @Test
    void scriptUsesSeveralKeysOfOneSlotAndIsRefusedForMore() {
        assertThat(fence.eval("return #KEYS", List.of("a{x}", "b{x}"), List.of(), token(1)))
                .contains(2L);
        assertThatThrownBy(() -> fence.eval("return #KEYS", List.of("a", "b"), List.of(), token(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("The keys [a, b] are of the slots [15495, 3300]; allowed are keys of one slot, as with a"
                        + " common hash tag such as {42}");
    }

    /** The key or its floor moves first; with one of them at each node no script can run. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void floorMovesWithItsSlot(boolean floorFirst) {
        String key = floorFirst ? "moves first" : "moves second";
        String floor = KeySpace.floorKey(key);
        RedisServer from = cluster.master(key);
        RedisServer to = cluster.nodes().stream()
                .limit(3)
                .filter(node -> node != from)
                .findFirst()
                .orElseThrow();
        fence.set(key, "1", token(5));

        cluster.beginMove(key, to);
        assertThat(fence.get(key, token(5))).contains("1");
        assertFails(() -> fence.get("{" + key + "} has no floor", token(5)), "TRYAGAIN");
        cluster.move(floorFirst ? floor : key, from, to);
        assertFails(() -> fence.set(key, "2", token(4)), "TRYAGAIN");
        assertFails(() -> fence.set(key, "2", token(6)), "TRYAGAIN");
        cluster.move(floorFirst ? key : floor, from, to);
        assertStale(() -> fence.set(key, "2", token(4)), 0, 5);
        cluster.endMove(key, from, to);

        assertStale(() -> fence.set(key, "2", token(4)), 0, 5);
        fence.set(key, "3", token(6));
        assertThat(to.command("GET", floor)).isEqualTo("0:6");
        assertThat(to.command("GET", key)).isEqualTo("3");
    }
}
