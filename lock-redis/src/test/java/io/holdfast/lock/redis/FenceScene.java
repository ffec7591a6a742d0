package io.holdfast.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.NamedToken;
import io.holdfast.lock.StaleTokenException;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import redis.clients.jedis.UnifiedJedis;

/** What the tests of the guard have in common. */
final class FenceScene {

    static final String KEY = "stock:42";
    static final String FLOOR = KeySpace.floorKey(KEY);

    private FenceScene() {}

    static NamedToken token(long number) {
        return token(0, number);
    }

    static NamedToken token(int epoch, long number) {
        return new NamedToken("stock", epoch, new FencingToken(number));
    }

    /** A guard whose keys are protected by the lock of these tokens. */
    static RedisFence over(UnifiedJedis client) {
        return RedisFence.over(client).lockNamed(key -> "stock").build();
    }

    static void assertStale(ThrowingCallable operation, int floorEpoch, long floor) {
        assertThatThrownBy(operation)
                .isInstanceOfSatisfying(
                        StaleTokenException.class,
                        stale -> assertThat(List.of((long) stale.floorEpoch(), stale.floor()))
                                .containsExactly((long) floorEpoch, floor));
    }

    /** Uses each operation over a client, also with a token that is stale. */
    static void assertGuards(UnifiedJedis client) {
        String key = "{guarded by " + client.getClass().getSimpleName() + System.nanoTime() + "}";
        String hash = key + ":hash";
        RedisFence fence = over(client);
        fence.set(key, "9", token(5));
        fence.hset(hash, Map.of("left", "9"), token(5));
        fence.enter(key, token(6));

        assertStale(() -> fence.set(key, "10", token(5)), 0, 6);
        assertThat(fence.get(key, token(7))).contains("9");
        assertThat(fence.hgetAll(hash, token(7))).isEqualTo(Map.of("left", "9"));
        assertThat(fence.eval("return {KEYS[2], ARGV[1], 3}", List.of(key, hash), List.of("a"), token(7)))
                .contains(List.of(hash, "a", 3L));
        assertThat(fence.delete(key, token(8))).isTrue();
        assertStale(() -> fence.get(key, token(7)), 0, 8);
        assertThat(client.get(KeySpace.floorKey(key))).isEqualTo("0:8");
    }
}
