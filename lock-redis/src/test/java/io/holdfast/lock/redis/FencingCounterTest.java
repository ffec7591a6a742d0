package io.holdfast.lock.redis;

import static io.holdfast.parts.StoreAssertions.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.redis.RedisLockProvider.Layout;
import io.holdfast.parts.RedisServerScene;
import io.holdfast.parts.TestClaim;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Where tokens come from; a counter by which they could repeat grants nothing. */
class FencingCounterTest extends RedisServerScene {

    private static final String COUNTER = "holdfast:#fence";
    private static final long LARGEST = (1L << 53) - 1;
    private static final List<String> NO_TOKENS = List.of(
            "",
            "apple",
            "-5",
            "+5",
            " 5",
            "5\n",
            "1.5",
            "1e3",
            "0x10",
            "inf",
            "nan",
            "9007199254740992",
            "9007199254740993",
            "9223372036854775807",
            "99999999999999999999999999999999999999999999");

    @ParameterizedTest
    @EnumSource
    void tokensGrowAfterTheServerLostAllData(Layout layout) {
        try (RedisLockProvider provider = RedisProviders.on(server, layout)) {
            long last = 0;
            for (int grant = 0; grant < 50; grant++) {
                TestClaim claim = TestClaim.once(provider, "a");
                long token = claim.token();
                assertThat(token).isGreaterThan(last);
                last = token;
                if (grant % 10 == 0) {
                    server.command("FLUSHALL");
                } else {
                    claim.released();
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void tokensGrowWhileTheServersClockIsBehindThem(Layout layout) {
        try (RedisLockProvider provider = RedisProviders.on(server, layout)) {
            server.command("SET", COUNTER, "4000000000000001");

            assertThat(TestClaim.once(provider, "a").token()).isEqualTo(4_000_000_000_000_002L);
            assertThat(TestClaim.once(provider, "b").token()).isEqualTo(4_000_000_000_000_003L);
        }
    }

    @ParameterizedTest
    @EnumSource
    void counterBehindTheClockFollowsTheClock(Layout layout) {
        try (RedisLockProvider provider = RedisProviders.on(server, layout)) {
            long first = TestClaim.once(provider, "a").token();
            server.command("SET", COUNTER, "0");

            assertThat(TestClaim.once(provider, "b").token()).isGreaterThan(first);
        }
    }

    @ParameterizedTest
    @EnumSource
    void theLargestTokenIsTheLastOne(Layout layout) {
        try (RedisLockProvider provider = RedisProviders.on(server, layout)) {
            server.command("SET", COUNTER, Long.toString(LARGEST - 1));
            assertThat(TestClaim.once(provider, "a").token()).isEqualTo(LARGEST);

            assertFails(TestClaim.once(provider, "b")::granted, COUNTER + " is '" + LARGEST + "'");
            assertThat(server.command("GET", COUNTER)).isEqualTo(Long.toString(LARGEST));
        }
    }

    @ParameterizedTest
    @EnumSource
    void damagedCounterIsAFailureAndGrantsNothing(Layout layout) {
        try (RedisLockProvider provider = RedisProviders.on(server, layout)) {
            for (String damaged : NO_TOKENS) {
                server.command("SET", COUNTER, damaged);

                assertFails(TestClaim.once(provider, "a")::granted, "acquire of lock 'a'", COUNTER, "Set the counter");
                assertThat(server.command("GET", COUNTER)).isEqualTo(damaged);
            }
            server.command("SET", COUNTER, "apple\u0007" + "x".repeat(100));
            assertFails(TestClaim.once(provider, "a")::granted, COUNTER + " is 'apple?" + "x".repeat(26) + "...'");
            server.command("DEL", COUNTER);
            server.command("LPUSH", COUNTER, "1");
            assertFails(TestClaim.once(provider, "a")::granted, COUNTER + " is no string");
            assertThat(server.command("EXISTS", "holdfast:a")).isEqualTo(0L);

            server.command("DEL", COUNTER);
            assertThat(TestClaim.once(provider, "a").granted()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void damagedTokenIsNeverHandedOut(Layout layout) {
        try (RedisLockProvider provider = RedisProviders.on(server, layout)) {
            TestClaim claim = TestClaim.owned(provider, "a", "workflow-17", TestClaim.LEASE);
            String token = Long.toString(claim.token());
            for (String damaged : NO_TOKENS) {
                setToken(layout, damaged, claim);
                assertFails(claim::granted, "acquire of lock 'a'", "token", "holdfast:a", "Delete the key");
            }
            setToken(layout, "0", claim);
            assertFails(claim::granted, "token", "holdfast:a", "Delete the key");
            assertThat(claim.held()).as("its claim is still there").isTrue();

            setToken(layout, token, claim);
            assertThat(claim.token()).isEqualTo(Long.parseLong(token));
        }
    }

    private void setToken(Layout layout, String token, TestClaim claim) {
        switch (layout) {
            case HASH -> server.command("HSET", "holdfast:a", "token", token);
            case STRING -> server.command("SET", "holdfast:a", claim.id + " " + token + " 1 1 o h t", "KEEPTTL");
        }
    }
}
