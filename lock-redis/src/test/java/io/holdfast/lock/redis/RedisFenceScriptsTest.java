package io.holdfast.lock.redis;

import static io.holdfast.lock.redis.FenceScene.FLOOR;
import static io.holdfast.lock.redis.FenceScene.KEY;
import static io.holdfast.lock.redis.FenceScene.assertStale;
import static io.holdfast.lock.redis.FenceScene.token;
import static io.holdfast.parts.StoreAssertions.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.parts.RedisServerScene;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.RedisClient;

/** Scripts of the application behind the guard. */
class RedisFenceScriptsTest extends RedisServerScene {

    private static final String OTHER = "stock:43";

    private RedisClient jedis;
    private RedisFence fence;

    @BeforeEach
    void connect() {
        jedis = RedisClient.builder().hostAndPort(server.host(), server.port()).build();
        fence = FenceScene.over(jedis);
    }

    @AfterEach
    void disconnect() {
        jedis.close();
    }

    private Optional<Object> eval(String script, long number) {
        return fence.eval(script, List.of(KEY, OTHER), List.of("a", "b c", ""), token(number));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "return {#KEYS, #ARGV, KEYS, ARGV}",
                "local function last(of) return of[#of] end return {last(KEYS), last(ARGV)}",
                "local KEYS = KEYS return {unpack(KEYS)}",
                "return redis.call('SET', KEYS[1], ARGV[2])",
                "return 9007199254740991",
                "return nil",
                "return {1, {'two', {3}}, false, 'five'}",
                "return redis.status_reply('FINE')",
                "if #ARGV == 3 then return 'three' end -- a comment without an end of line",
                "",
            })
    void scriptRunsAsItDoesWithoutTheGuard(String script) {
        Object without = jedis.eval(script, List.of(KEY, OTHER), List.of("a", "b c", ""));
        assertThat(eval(script, 1)).isEqualTo(Optional.ofNullable(without));
        assertThat(eval(script, 1)).as("by its digest").isEqualTo(Optional.ofNullable(without));
    }

    @Test
    void errorNamesTheLineOfTheScript() {
        assertFails(
                () -> eval("local a = 1\nlocal b = 2\nerror('too few left')", 1),
                "eval of key 'stock:42' failed: the server answered",
                "user_script:3: too few left");
        assertFails(() -> eval("return redis.error_reply('SOLD OUT')", 1), "the server answered SOLD OUT");
    }

    /** Redis undoes nothing, so the floor has to be raised before the script runs. */
    @Test
    void earlierHolderIsRefusedAfterAScriptThatFailedMidway() {
        fence.set(KEY, "10", token(5));
        assertFails(() -> eval("redis.call('SET', KEYS[1], '9') error('power cut')", 7), "power cut");

        assertThat(List.of(jedis.get(KEY), jedis.get(FLOOR))).containsExactly("9", "0:7");
        assertStale(() -> fence.set(KEY, "8", token(6)), 0, 7);
        assertThat(fence.get(KEY, token(7))).contains("9");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "return (",
                "if true then",
                "redis.call('SET', KEYS[1], '8') end",
                "end redis.call('SET', KEYS[1], '8') do",
                "--[[ unfinished",
                "#!lua\nredis.call('SET', KEYS[1], '8')",
            })
    void scriptThatCannotBeCompiledChangesNothing(String script) {
        fence.set(KEY, "10", token(5));
        assertFails(() -> eval(script, 7), "the server answered ERR Error compiling script");
        assertThat(List.of(jedis.get(KEY), jedis.get(FLOOR))).containsExactly("10", "0:5");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "]] redis.call('SET', KEYS[1], '8')",
                "refused = nil redis.call('SET', KEYS[1], '8')",
                "redis.call('SET', KEYS[1], '8')",
            })
    void noScriptGetsAroundTheGuard(String script) {
        fence.set(KEY, "10", token(5));
        assertThatThrownBy(() -> eval(script, 4)).isNotNull();
        assertThat(List.of(jedis.get(KEY), jedis.get(FLOOR))).containsExactly("10", "0:5");
    }

    @Test
    void oneFloorAboveTheTokenRefusesAllKeysAndRaisesNone() {
        fence.enter(KEY, token(3));
        fence.enter(OTHER, token(6));

        assertStale(() -> eval("redis.call('SET', KEYS[1], '8')", 5), 0, 6);

        assertThat(jedis.get(KEY)).isNull();
        assertThat(jedis.mget(FLOOR, KeySpace.floorKey(OTHER))).containsExactly("0:3", "0:6");
        var unused = eval("redis.call('SET', KEYS[1], '8')", 6);
        assertThat(jedis.mget(FLOOR, KeySpace.floorKey(OTHER))).containsExactly("0:6", "0:6");
    }

    @Test
    void allKeysHaveToBeProtectedByTheLockOfTheToken() {
        RedisFence others = RedisFence.over(jedis)
                .lockNamed(key -> key.equals(OTHER) ? "bread" : "stock")
                .build();
        assertThatThrownBy(() -> others.eval("return 1", List.of(KEY, OTHER), List.of(), token(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("allowed is one of the lock 'bread'");
        assertThatThrownBy(() -> fence.eval("return 1", List.of(), List.of(), token(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("There is no key to guard; allowed is one at least");
        assertThat(server.command("DBSIZE")).isEqualTo(0L);
    }

    @Test
    void scriptsThatTheServerForgotAreSentAgain() {
        fence.set(KEY, "1", token(1));
        jedis.scriptFlush();
        fence.set(KEY, "2", token(2));
        server.command("CONFIG", "RESETSTAT");
        fence.set(KEY, "3", token(3));
        assertThat(jedis.get(KEY)).isEqualTo("3");
        assertThat(List.of(server.calls("evalsha"), server.calls("eval"))).containsExactly(1L, 0L);
    }
}
