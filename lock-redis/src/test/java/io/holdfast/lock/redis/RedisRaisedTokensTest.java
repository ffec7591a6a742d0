package io.holdfast.lock.redis;

import static io.holdfast.parts.StoreAssertions.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.redis.RedisLockProvider.Layout;
import io.holdfast.parts.Proves;
import io.holdfast.parts.RedisServerScene;
import io.holdfast.parts.TestClaim;
import io.holdfast.servers.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Raising the tokens of one server, and asking how high they are. */
class RedisRaisedTokensTest extends RedisServerScene {

    private static final String COUNTER = "holdfast:#fence";
    private static final long MOST = (1L << 53) - 2;
    /** In microseconds: tokens this far ahead of the clock come from the counter alone. */
    private static final long HOUR = 3_600_000_000L;

    @ParameterizedTest
    @EnumSource
    @Proves("6.7")
    void raisedTokensHoldForAllNamesAndClientsAndOverARestart(Layout layout) {
        // A killed process loses nothing that is in the kernel's hands, and no call waits for a busy disk.
        try (RedisServer durable = RedisServer.start("--appendonly", "yes", "--appendfsync", "no");
                RedisLockProvider provider = RedisProviders.on(durable, layout);
                RedisLockProvider other = RedisProviders.on(durable, layout)) {
            TestClaim known = TestClaim.once(provider, "known");
            long above = known.token() + HOUR;
            assertThat(known.released()).isTrue();
            provider.raiseTokens(above);

            assertThat(TestClaim.once(other, "quiet").token()).isEqualTo(above + 1);
            durable.kill();
            durable.restart();
            assertThat(TestClaim.once(other, "known").token()).isEqualTo(above + 2);
            assertThat(provider.highestToken()).isEqualTo(above + 2);
        }
    }

    @ParameterizedTest
    @EnumSource
    @Proves("6.7")
    void raiseNeverLowers(Layout layout) {
        try (RedisLockProvider provider = RedisProviders.on(server, layout)) {
            long token = TestClaim.once(provider, "a").token();
            provider.raiseTokens(token + HOUR);
            for (long lower : new long[] {token + HOUR - 1, token, 0, -1, Long.MIN_VALUE}) {
                provider.raiseTokens(lower);
            }
            assertThat(server.command("GET", COUNTER)).isEqualTo(Long.toString(token + HOUR));
        }
    }

    @Test
    @Proves("6.7")
    void tokensGrowWhileTheyAreRaised() {
        AtomicLong floor = new AtomicLong();
        Set<Long> tokens = ConcurrentHashMap.newKeySet();
        try (RedisLockProvider provider = RedisProviders.on(server, Layout.HASH);
                RedisLockProvider other = RedisProviders.on(server, Layout.STRING)) {
            List<CompletableFuture<Void>> granting = new ArrayList<>();
            for (RedisLockProvider each : List.of(provider, provider, other, other)) {
                String prefix = granting.size() + "-";
                granting.add(CompletableFuture.runAsync(() -> grantMany(each, prefix, tokens, floor)));
            }
            long first = provider.highestToken() + HOUR;
            for (int i = 0; i < 300; i++) {
                // Not far above the tokens of the grants, so that they overtake it.
                long above = first + 3L * i;
                (i % 2 == 0 ? provider : other).raiseTokens(above);
                floor.set(above);
            }
            granting.forEach(CompletableFuture::join);
        }
        assertThat(tokens).hasSize(4 * 300);
    }

    private static void grantMany(RedisLockProvider provider, String prefix, Set<Long> tokens, AtomicLong floor) {
        long last = 0;
        for (int i = 0; i < 300; i++) {
            long least = Math.max(last, floor.get());
            last = TestClaim.once(provider, prefix + i).token();
            assertThat(last).isGreaterThan(least);
            tokens.add(last);
        }
    }

    @ParameterizedTest
    @EnumSource
    void raiseAboveTheLimitIsRefusedBeforeAnythingIsWritten(Layout layout) {
        try (RedisLockProvider provider = RedisProviders.on(server, layout)) {
            assertThatThrownBy(() -> provider.raiseTokens(MOST + 1))
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageContainingAll("above 9007199254740991", "at most 9007199254740990");
            assertThat(server.command("DBSIZE")).isEqualTo(0L);

            provider.raiseTokens(MOST);
            assertThat(TestClaim.once(provider, "a").token()).isEqualTo(MOST + 1);
            assertThat(provider.highestToken()).isEqualTo(MOST + 1);
        }
    }

    @Test
    void damagedCounterIsNeitherReadNorRaised() {
        try (RedisLockProvider provider = RedisProviders.on(server, Layout.HASH)) {
            server.command("SET", COUNTER, "apple");

            assertFails(() -> provider.raiseTokens(5), "raise of fencing counter", COUNTER + " is 'apple'", "Set the");
            assertFails(provider::highestToken, "look-up of fencing counter", COUNTER + " is 'apple'", "Set the");
            assertThat(server.command("GET", COUNTER)).isEqualTo("apple");
        }
    }

    /** A store that begins where this one ends must not begin below tokens that this one has forgotten. */
    @ParameterizedTest
    @EnumSource
    void highestTokenIsNotBelowTokensThatTheServerHasForgotten(Layout layout) {
        try (RedisLockProvider provider = RedisProviders.on(server, layout)) {
            long token = TestClaim.once(provider, "a").token();
            server.command("FLUSHALL");

            assertThat(provider.highestToken()).isGreaterThanOrEqualTo(token);
            assertThat(server.command("DBSIZE")).as("it only reads").isEqualTo(0L);
        }
    }
}
