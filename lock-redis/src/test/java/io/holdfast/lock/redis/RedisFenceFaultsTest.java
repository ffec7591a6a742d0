package io.holdfast.lock.redis;

import static io.holdfast.lock.redis.FenceScene.FLOOR;
import static io.holdfast.lock.redis.FenceScene.KEY;
import static io.holdfast.lock.redis.FenceScene.assertStale;
import static io.holdfast.lock.redis.FenceScene.token;
import static io.holdfast.parts.StoreAssertions.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.parts.RedisProxyScene;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.RedisClient;

/** The guard when something is broken: the connection, the floor, the server's memory or its rights. */
class RedisFenceFaultsTest extends RedisProxyScene {

    private static final String ADD = "return redis.call('INCR', KEYS[1])";

    private RedisClient jedis;
    private RedisFence fence;

    @BeforeEach
    void connect() {
        jedis = RedisClient.builder().hostAndPort("127.0.0.1", proxy.port()).build();
        fence = FenceScene.over(jedis);
        fence.set(KEY, "10", token(5));
        assertThat(fence.get(KEY, token(5))).contains("10");
        assertThat(fence.eval(ADD, List.of(KEY), List.of(), token(5))).contains(11L);
    }

    @AfterEach
    void disconnect() {
        jedis.close();
    }

    @Test
    void writeWithALostReplyFailsAndIsNotRepeated() {
        proxy.dropNextReply();
        assertFails(() -> fence.eval(ADD, List.of(KEY), List.of(), token(6)), "eval of key 'stock:42' failed");
        assertThat(server.command("GET", KEY)).isEqualTo("12");

        // Connects again: else the reply to that would be the lost one.
        assertThat(fence.get(KEY, token(6))).contains("12");
        proxy.dropNextReply();
        assertFails(() -> fence.set(KEY, "7", token(6)), "set of key 'stock:42' failed");
        fence.set(KEY, "7", token(6));
        assertThat(server.command("GET", KEY)).isEqualTo("7");
    }

    @Test
    void readWithALostReplyIsRepeated() {
        proxy.dropNextReply();
        assertThat(fence.get(KEY, token(6))).contains("11");
        assertThat(server.command("GET", FLOOR)).isEqualTo("0:6");
    }

    @Test
    void unreachableServerIsAFailureOfTheStore() {
        proxy.refuse();
        proxy.reset();
        assertFails(() -> fence.get(KEY, token(6)), "get of key 'stock:42' failed: cannot connect");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "apple",
                "",
                "5",
                "0:",
                ":5",
                "-1:5",
                "0:5 ",
                "0:1e3",
                "0:9223372036854775808",
                "0:09223372036854775807",
                "2147483648:5",
                "99999999999:5"
            })
    void damagedFloorRefusesEverything(String damaged) {
        server.command("SET", FLOOR, damaged);
        assertFails(
                () -> fence.set(KEY, "7", token(Long.MAX_VALUE)),
                "set of key 'stock:42' failed: the server answered the floor " + FLOOR + " is '" + damaged + "'",
                "Set the floor to the highest token");
        assertThat(List.of(server.command("GET", KEY), server.command("GET", FLOOR)))
                .containsExactly("11", damaged);
    }

    @Test
    void floorOfAnotherTypeRefusesEverything() {
        server.command("DEL", FLOOR);
        server.command("RPUSH", FLOOR, "0:1");
        assertFails(() -> fence.set(KEY, "7", token(6)), FLOOR + " is no string");
        assertThat(server.command("GET", KEY)).isEqualTo("11");
    }

    @Test
    void fullServerChangesNothingAndStillRefusesEarlierHolders() {
        server.command("CONFIG", "SET", "maxmemory", "1");
        assertFails(() -> fence.set(KEY, "7", token(6)), "OOM");
        assertFails(() -> fence.get(KEY, token(6)), "OOM");
        assertThat(fence.get(KEY, token(5))).as("reads by the same holder").contains("11");
        assertStale(() -> fence.get(KEY, token(4)), 0, 5);
        assertThat(server.command("GET", FLOOR)).isEqualTo("0:5");

        server.command("CONFIG", "SET", "maxmemory", "0");
        fence.set(KEY, "7", token(6));
    }

    /** What the page says of a server without its data: nothing tells that there was a later holder. */
    @Test
    void serverThatLostTheFloorLetsAnEarlierHolderIn() {
        server.command("FLUSHALL");
        fence.set(KEY, "7", token(4));
        assertThat(server.command("GET", FLOOR)).isEqualTo("0:4");
    }

    @Test
    void documentedPermissionsAreEnoughAndAllNeeded() throws Exception {
        List<String> rules = Pattern.compile("(?m)^ACL SETUSER shop (.*)$")
                .matcher(Files.readString(Path.of("..", "docs", "backends", "redis.md")))
                .results()
                .map(MatchResult::group)
                .findFirst()
                .map(rule -> List.of(rule.split(" ")))
                .orElseThrow();
        server.command(rules.toArray(String[]::new));
        try (RedisClient shop = RedisClient.builder()
                .hostAndPort(server.host(), server.port())
                .clientConfig(DefaultJedisClientConfig.builder()
                        .user("shop")
                        .password("secret")
                        .build())
                .build()) {
            RedisFence guard = FenceScene.over(shop);
            useAll(guard);
            server.command("FLUSHALL");
            useAll(guard);
            assertThat((List<?>) server.command("ACL", "LOG")).isEmpty();
            for (String rule : rules.subList(5, rules.size())) {
                String[] without = {
                    "ACL", "SETUSER", "shop", rule.startsWith("~") ? "resetkeys" : "-" + rule.substring(1)
                };
                server.command(without);
                server.command("FLUSHALL");
                assertFails(
                        () -> useAll(FenceScene.over(shop)),
                        "the server answered",
                        "; \"A guard for your keys\" in docs/backends/redis.md has all that the guard needs");
                assertThat((List<?>) server.command("ACL", "LOG")).as(rule).isNotEmpty();
                server.command("ACL", "LOG", "RESET");
                server.command(rules.toArray(String[]::new));
            }
        }
    }

    private static void useAll(RedisFence guard) {
        guard.set("stock:1", "a", token(1));
        guard.set("stock:1", "a", token(2));
        assertThat(guard.get("stock:1", token(2))).contains("a");
        guard.hset("stock:2", Map.of("a", "b"), token(2));
        assertThat(guard.hgetAll("stock:2", token(2))).hasSize(1);
        assertThat(guard.delete("stock:2", token(2))).isTrue();
    }
}
