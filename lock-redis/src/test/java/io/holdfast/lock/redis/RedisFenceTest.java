package io.holdfast.lock.redis;

import static io.holdfast.lock.redis.FenceScene.FLOOR;
import static io.holdfast.lock.redis.FenceScene.KEY;
import static io.holdfast.lock.redis.FenceScene.assertStale;
import static io.holdfast.lock.redis.FenceScene.token;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.NamedToken;
import io.holdfast.lock.StaleTokenException;
import io.holdfast.lock.redis.RedisLockProvider.Layout;
import io.holdfast.parts.RedisServerScene;
import io.holdfast.parts.TestClaim;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.RedisClient;

/** The guard of one server: which tokens it refuses, and that it then changes nothing. */
class RedisFenceTest extends RedisServerScene {

    private RedisClient jedis;
    private RedisFence fence;

    @BeforeEach
    void connect() {
        jedis = client();
        fence = FenceScene.over(jedis);
    }

    @AfterEach
    void disconnect() {
        jedis.close();
    }

    private RedisClient client() {
        return RedisClient.builder().hostAndPort(server.host(), server.port()).build();
    }

    /** Each operation, what it finds, and what is there after it. */
    private enum Operation {
        ENTER("SET", "a", "a") {
            @Override
            void run(RedisFence fence, NamedToken token) {
                fence.enter(KEY, token);
            }
        },
        GET("SET", "a", "a") {
            @Override
            void run(RedisFence fence, NamedToken token) {
                assertThat(fence.get(KEY, token)).contains("a");
            }
        },
        SET("SET", "a", "b") {
            @Override
            void run(RedisFence fence, NamedToken token) {
                fence.set(KEY, "b", token);
            }
        },
        DELETE("SET", "a", null) {
            @Override
            void run(RedisFence fence, NamedToken token) {
                assertThat(fence.delete(KEY, token)).isTrue();
            }
        },
        EVAL("SET", "a", "ac") {
            @Override
            void run(RedisFence fence, NamedToken token) {
                assertThat(fence.eval(
                                "return redis.call('APPEND', KEYS[1], ARGV[1])", List.of(KEY), List.of("c"), token))
                        .contains(2L);
            }
        },
        HGETALL("HSET", "a", "a") {
            @Override
            void run(RedisFence fence, NamedToken token) {
                assertThat(fence.hgetAll(KEY, token)).isEqualTo(Map.of("field", "a"));
            }
        },
        HSET("HSET", "a", "b") {
            @Override
            void run(RedisFence fence, NamedToken token) {
                fence.hset(KEY, Map.of("field", "b"), token);
            }
        };

        private final String put;
        private final String found;
        private final String left;

        Operation(String put, String found, String left) {
            this.put = put;
            this.found = found;
            this.left = left;
        }

        abstract void run(RedisFence fence, NamedToken token);

        void put(RedisClient jedis) {
            jedis.del(KEY);
            if (put.equals("SET")) {
                jedis.set(KEY, found);
            } else {
                jedis.hset(KEY, "field", found);
            }
        }

        String value(RedisClient jedis) {
            return put.equals("SET") ? jedis.get(KEY) : jedis.hget(KEY, "field");
        }
    }

    @ParameterizedTest
    @EnumSource
    void operationIsDoneUnlessItsTokenIsBelowTheFloor(Operation operation) {
        operation.put(jedis);
        operation.run(fence, token(5));
        assertThat(jedis.get(FLOOR)).as("the first token").isEqualTo("0:5");
        assertThat(operation.value(jedis)).isEqualTo(operation.left);

        operation.put(jedis);
        operation.run(fence, token(5));
        assertThat(operation.value(jedis)).as("the same token").isEqualTo(operation.left);

        operation.put(jedis);
        operation.run(fence, token(7));
        assertThat(jedis.get(FLOOR)).as("a newer token").isEqualTo("0:7");
        assertThat(operation.value(jedis)).isEqualTo(operation.left);

        operation.put(jedis);
        assertStale(() -> operation.run(fence, token(6)), 0, 7);
        assertThat(operation.value(jedis)).as("a stale token").isEqualTo(operation.found);
        assertThat(jedis.get(FLOOR)).isEqualTo("0:7");
    }

    @ParameterizedTest
    @EnumSource
    void laterEpochIsServedAndEarlierOneRefused(Operation operation) {
        fence.enter(KEY, token(1, 100));
        operation.put(jedis);
        assertStale(() -> operation.run(fence, token(0, 200)), 1, 100);
        assertThat(operation.value(jedis)).isEqualTo(operation.found);

        operation.run(fence, token(2, 3));
        assertThat(jedis.get(FLOOR)).isEqualTo("2:3");
        assertThat(operation.value(jedis)).isEqualTo(operation.left);
    }

    @ParameterizedTest
    @EnumSource
    void tokenOfAnotherLockIsRefusedBeforeAnythingIsSent(Operation operation) {
        server.command("CONFIG", "RESETSTAT");
        assertThatThrownBy(() -> operation.run(fence, new NamedToken("bread", 0, new FencingToken(9))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Token 9 is of the lock 'bread'; allowed is one of the lock 'stock'");
        assertThat(server.calls("eval") + server.calls("evalsha")).isZero();
    }

    @Test
    void keyIsProtectedByTheLockOfItsNameByDefault() {
        RedisFence byName = RedisFence.over(jedis).build();
        byName.set("a", "1", new NamedToken("a", 0, new FencingToken(1)));
        assertThatThrownBy(() -> byName.set("b", "1", new NamedToken("a", 0, new FencingToken(1))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("allowed is one of the lock 'b'");
    }

    /** Lua's doubles take some of these neighbours for the same number. */
    @Test
    void numbersOf64BitsAreComparedExactly() {
        List<Long> numbers = List.of(
                1L,
                9L,
                10L,
                9_999_999_999L,
                10_000_000_000L,
                (1L << 53) - 1,
                1L << 53,
                (1L << 53) + 1,
                999_999_999_999_999_999L,
                1_000_000_000_000_000_000L,
                Long.MAX_VALUE - 1024,
                Long.MAX_VALUE - 1,
                Long.MAX_VALUE);
        for (int epoch : new int[] {0, 10, Integer.MAX_VALUE}) {
            for (long floor : numbers) {
                jedis.set(FLOOR, epoch + ":" + floor);
                for (long number : numbers) {
                    if (number < floor) {
                        assertStale(() -> fence.enter(KEY, token(epoch, number)), epoch, floor);
                    }
                }
                fence.enter(KEY, token(epoch, floor));
                assertThat(jedis.get(FLOOR)).isEqualTo(epoch + ":" + floor);
            }
            numbers.stream().skip(1).forEach(number -> {
                jedis.set(FLOOR, epoch + ":" + (number - 1));
                fence.enter(KEY, token(epoch, number));
                assertThat(jedis.get(FLOOR)).isEqualTo(epoch + ":" + number);
            });
        }
        jedis.set(FLOOR, (Integer.MAX_VALUE - 1) + ":5");
        fence.enter(KEY, token(Integer.MAX_VALUE, 1));
        assertStale(() -> fence.enter(KEY, token(9, Long.MAX_VALUE)), Integer.MAX_VALUE, 1);
    }

    @Test
    void floorOutlivesTheKeyAndNeverExpires() {
        fence.set(KEY, "a", token(7));
        jedis.pexpire(KEY, 100_000);
        assertThat(fence.delete(KEY, token(7))).isTrue();
        assertThat(fence.delete(KEY, token(7))).isFalse();

        assertThat(jedis.ttl("holdfast:#floor:{27519}:stock:42")).isEqualTo(-1);
        assertStale(() -> fence.set(KEY, "b", token(6)), 0, 7);
        assertThat(server.command("INFO", "errorstats")).asString().contains("errorstat_STALETOKEN:count=1");
        assertThat((Long) server.command("MEMORY", "USAGE", FLOOR))
                .as("as the page says")
                .isLessThan(150);
        assertThat(fence.get(KEY, token(7))).isEmpty();
        assertThat(fence.hgetAll(KEY, token(7))).isEmpty();
    }

    @Test
    void hashOfManyFieldsIsWrittenWhole() {
        Map<String, String> fields = new HashMap<>();
        for (int i = 0; i < 10_000; i++) {
            fields.put("field " + i, "ü" + i);
        }
        fence.hset(KEY, fields, token(1));
        fence.hset(KEY, Map.of(), token(2));
        assertThat(fence.hgetAll(KEY, token(2))).isEqualTo(fields);
    }

    /** Reads and writes of the stock, with a guard or without. */
    private interface Stock {
        String read(NamedToken token);

        void write(String units, NamedToken token);
    }

    private Stock guarded() {
        return new Stock() {
            @Override
            public String read(NamedToken token) {
                return fence.get(KEY, token).orElseThrow();
            }

            @Override
            public void write(String units, NamedToken token) {
                fence.set(KEY, units, token);
            }
        };
    }

    private Stock unguarded() {
        return new Stock() {
            @Override
            public String read(NamedToken token) {
                return jedis.get(KEY);
            }

            @Override
            public void write(String units, NamedToken token) {
                jedis.set(KEY, units);
            }
        };
    }

    @ParameterizedTest
    @EnumSource
    void lateWriteIsRefusedAndWouldSellAUnitTwiceWithoutTheGuard(Layout layout) {
        assertThat(soldTwice(layout, guarded())).isZero();
        assertThat(soldTwice(layout, unguarded())).isEqualTo(1);
    }

    /** The first holder reads, is thought dead, and sells two units after the second one has sold a unit. */
    private int soldTwice(Layout layout, Stock stock) {
        jedis.set(KEY, "10");
        int sold = 0;
        try (RedisLockProvider provider = RedisProviders.on(server, layout)) {
            NamedToken first = token(TestClaim.once(provider, "stock").token());
            int readByFirst = Integer.parseInt(stock.read(first));
            server.command("DEL", "holdfast:stock");

            TestClaim next = TestClaim.once(provider, "stock");
            NamedToken second = token(next.token());
            int readBySecond = Integer.parseInt(stock.read(second));
            stock.write(Integer.toString(readBySecond - 1), second);
            sold += 1;
            try {
                stock.write(Integer.toString(readByFirst - 2), first);
                sold += 2;
            } catch (StaleTokenException refused) {
                assertThat(refused.token()).isEqualTo(first);
            }
            assertThat(next.released()).isTrue();
        }
        return sold - (10 - Integer.parseInt(jedis.get(KEY)));
    }

    @Test
    void tokensNeverGoBackInARaceOfTwoClients() {
        AtomicLong numbers = new AtomicLong();
        AtomicInteger done = new AtomicInteger();
        AtomicInteger refused = new AtomicInteger();
        try (RedisClient other = client()) {
            List<CompletableFuture<Void>> races = new ArrayList<>();
            for (RedisFence each : List.of(fence, FenceScene.over(other), fence, FenceScene.over(other))) {
                races.add(CompletableFuture.runAsync(() -> {
                    for (int i = 0; i < 500; i++) {
                        NamedToken mine = token(numbers.incrementAndGet());
                        try {
                            var unused = each.eval(
                                    "return redis.call('RPUSH', KEYS[1], ARGV[1])",
                                    List.of(KEY),
                                    List.of(mine.token().toString()),
                                    mine);
                            done.incrementAndGet();
                        } catch (StaleTokenException stale) {
                            assertThat(stale.floor()).isGreaterThan(mine.token().value());
                            refused.incrementAndGet();
                        }
                    }
                }));
            }
            races.forEach(CompletableFuture::join);
        }
        List<Long> written =
                jedis.lrange(KEY, 0, -1).stream().map(Long::parseLong).toList();
        assertThat(written).isSorted().hasSize(done.get());
        assertThat(done.get() + refused.get()).isEqualTo(2000);
        assertThat(refused.get()).as("the race took place").isPositive();
    }
}
