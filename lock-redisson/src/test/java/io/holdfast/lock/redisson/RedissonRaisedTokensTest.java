package io.holdfast.lock.redisson;

import static io.holdfast.parts.StoreAssertions.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.UnsupportedCapabilityException;
import io.holdfast.lock.redisson.RedissonLockProvider.Layout;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import io.holdfast.servers.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Raising the tokens of a database, and asking how high they are. */
class RedissonRaisedTokensTest extends RedissonScene {

    private static final String COUNTER = "holdfast_redisson:token";
    private static final long MOST = (1L << 53) - 2;
    /** In microseconds: tokens this far ahead of the clock come from the counter alone. */
    private static final long HOUR = 3_600_000_000L;

    @Test
    @Proves("6.7")
    void raisedTokensHoldForAllNamesAndClientsAndOverARestart() {
        // A killed process loses nothing that is in the kernel's hands, and no call waits for a busy disk.
        try (RedisServer durable = RedisServer.start("--appendonly", "yes", "--appendfsync", "no");
                RedissonLockProvider one = RedissonProviders.on(durable, Layout.LOCK);
                RedissonLockProvider other = RedissonProviders.on(durable, Layout.LOCK);
                RedissonLockProvider fenced = RedissonProviders.on(durable, Layout.FENCED)) {
            TestClaim known = TestClaim.once(one, "known");
            long above = known.token() + HOUR;
            assertThat(known.released()).isTrue();
            one.raiseTokens(above);
            assertThat(TestClaim.once(other, "quiet").token()).isEqualTo(above + 1);
            durable.kill();
            durable.restart();

            try (RedissonLockProvider later = RedissonProviders.on(durable, Layout.LOCK)) {
                assertThat(TestClaim.once(later, "known").token()).isEqualTo(above + 2);
                assertThat(TestClaim.once(fenced, "fenced").token()).isEqualTo(above + 3);
                assertThat(later.highestToken()).isEqualTo(above + 3);
            }
        }
    }

    @Test
    @Proves("6.7")
    void raiseNeverLowers() {
        long token = TestClaim.once(provider, "a").token();
        provider.raiseTokens(token + HOUR);
        for (long lower : new long[] {token + HOUR - 1, token, 0, -1, Long.MIN_VALUE}) {
            provider.raiseTokens(lower);
        }
        assertThat(server.command("GET", COUNTER)).isEqualTo(Long.toString(token + HOUR));
    }

    @Test
    @Proves("6.7")
    void tokensGrowWhileTheyAreRaised() {
        AtomicLong floor = new AtomicLong();
        Set<Long> tokens = ConcurrentHashMap.newKeySet();
        List<CompletableFuture<Void>> granting = new ArrayList<>();
        for (String prefix : List.of("a", "b")) {
            granting.add(CompletableFuture.runAsync(() -> grantMany(prefix, tokens, floor), threads));
        }
        long first = provider.highestToken() + HOUR;
        for (int i = 0; i < 200; i++) {
            // Not far above the tokens of the grants, so that they overtake it.
            provider.raiseTokens(first + 2L * i);
            floor.set(first + 2L * i);
        }
        granting.forEach(CompletableFuture::join);
        assertThat(tokens).hasSize(2 * 200);
    }

    private void grantMany(String prefix, Set<Long> tokens, AtomicLong floor) {
        long last = 0;
        for (int i = 0; i < 200; i++) {
            long least = Math.max(last, floor.get());
            last = TestClaim.once(provider, prefix + i).token();
            assertThat(last).isGreaterThan(least);
            tokens.add(last);
        }
    }

    @Test
    void raiseAboveTheLimitIsRefusedBeforeAnythingIsWritten() {
        assertThatThrownBy(() -> provider.raiseTokens(MOST + 1))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContainingAll("above 9007199254740991", "at most 9007199254740990");
        assertThat(server.command("DBSIZE")).isEqualTo(0L);

        provider.raiseTokens(MOST);
        assertThat(TestClaim.once(provider, "a").token()).isEqualTo(MOST + 1);
        assertThat(provider.highestToken()).isEqualTo(MOST + 1);
    }

    @Test
    void damagedCounterIsNeitherReadNorRaised() {
        server.command("SET", COUNTER, "apple");

        assertFails(() -> provider.raiseTokens(5), "raise of counter", COUNTER + " is not a whole number");
        assertFails(provider::highestToken, "look-up of counter", COUNTER + " is not a whole number");
        assertThat(server.command("GET", COUNTER)).isEqualTo("apple");
    }

    /** A store that begins where this one ends must not begin below tokens that this one has forgotten. */
    @Test
    void highestTokenIsNotBelowTokensThatTheServerHasForgotten() {
        long token = TestClaim.once(provider, "a").token();
        server.command("FLUSHALL");

        assertThat(provider.highestToken()).isGreaterThanOrEqualTo(token);
        assertThat(server.command("DBSIZE")).as("it only reads").isEqualTo(0L);
    }

    /** A user of {@code RFencedLock} would have a lower token than the holder before it. */
    @Test
    @Proves("6.5")
    void layoutFencedRefuses() {
        try (RedissonLockProvider fenced =
                RedissonLockProvider.over(redisson).layout(Layout.FENCED).build()) {
            assertThatThrownBy(() -> fenced.raiseTokens(5))
                    .isInstanceOf(UnsupportedCapabilityException.class)
                    .hasMessageContainingAll("'fenced'", "RFencedLock", "Use layout 'lock'");
            assertThatThrownBy(fenced::highestToken)
                    .isInstanceOf(UnsupportedCapabilityException.class)
                    .hasMessageContaining("RFencedLock");
            assertThat(server.command("DBSIZE")).isEqualTo(0L);
        }
    }
}
