package io.holdfast.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LossCause;
import io.holdfast.lock.redis.RedisLockProvider.Layout;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.lock.spi.Renewal.Held;
import io.holdfast.lock.spi.Renewal.Lost;
import io.holdfast.lock.spi.Renewal.Unknown;
import io.holdfast.parts.TestClaim;
import io.holdfast.parts.Waits;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Renewals of many claims by one call, counted command by command, and the answers of those that are no usual case. */
class BatchRenewalTest extends LocksUserScene {

    private static final Duration LONG = Duration.ofMinutes(1);

    /** Those that clients send, and those that scripts run. */
    private static final List<String> COMMANDS = List.of(
            "eval",
            "evalsha",
            "time",
            "exists",
            "get",
            "mget",
            "pttl",
            "pexpire",
            "hlen",
            "hget",
            "hgetall",
            "pexpireat",
            "hset",
            "hincrby",
            "hdel",
            "set",
            "del");

    @Test
    void renewalOfAStringIsOneCommandAndThreeForFiveHundred() {
        assertThat(commandsOfRenewals(Layout.STRING, 1_100))
                .isEqualTo(Map.of("evalsha", 3L, "mget", 3L, "time", 3L, "pexpire", 1_100L));
    }

    @Test
    void renewalOfAHashIsTwoCommandsAndThreeForFiveHundred() {
        assertThat(commandsOfRenewals(Layout.HASH, 1_100))
                .isEqualTo(Map.of("evalsha", 3L, "time", 3L, "exists", 3L, "hincrby", 1_100L, "pexpireat", 1_100L));
    }

    /** Such as after an answer that was lost. */
    @Test
    void renewalOfAHashWhoseEndItsClientDoesNotKnowIsFourCommandsMoreAndOnlyOnce() {
        try (RedisLockProvider provider = RedisProviders.on(server, Layout.HASH)) {
            List<TestClaim> claims = granted(provider, 2);
            assertThat(renewed(provider, claims.get(0), claims.get(1))).hasOnlyElementsOfType(Held.class);
            server.command("HINCRBY", "holdfast:lock-1", "claim:" + claims.get(1).id, "-7");
            server.command("CONFIG", "RESETSTAT");

            for (int i = 0; i < 2; i++) {
                awaitNextMillisecond();
                assertThat(renewed(provider, claims.get(0), claims.get(1))).hasOnlyElementsOfType(Held.class);
                assertThat(endOf(claims.get(1), "lock-1"))
                        .isEqualTo(
                                server.command("PEXPIRETIME", "holdfast:lock-1").toString());
            }
            assertThat(server.command("HLEN", "holdfast:lock-1")).isEqualTo(7L);
            assertThat(COMMANDS.stream().filter(command -> server.calls(command) > 0))
                    .contains("hincrby", "hget", "hset")
                    .doesNotContain("hdel", "hgetall");
            assertThat(server.calls("hset")).isEqualTo(1);
        }
    }

    private String endOf(TestClaim claim, String name) {
        return String.valueOf(server.command("HGET", "holdfast:" + name, "claim:" + claim.id));
    }

    @ParameterizedTest
    @EnumSource
    void renewalOfAClaimThatWasTakenOverLeavesTheOtherRecordAsItIs(Layout layout) {
        try (RedisLockProvider provider = RedisProviders.on(server, layout)) {
            List<TestClaim> claims = granted(provider, 3);
            server.command("DEL", "holdfast:lock-0", "holdfast:lock-1");
            assertThat(TestClaim.once(provider, "lock-0").granted()).isTrue();
            server.command("HSET", "holdfast:lock-1", "field", "of another program");
            List<Object> before = records();
            awaitNextMillisecond();

            List<Renewal> answers = renewed(provider, claims.toArray(TestClaim[]::new));

            assertThat(answers.subList(0, 2)).containsOnly(new Lost(LossCause.TAKEN_OVER));
            assertThat(answers.get(2)).isInstanceOf(Held.class);
            assertThat(records()).isEqualTo(before);
        }
    }

    private List<Object> records() {
        return Stream.of("holdfast:lock-0", "holdfast:lock-1")
                .flatMap(key -> Stream.of(server.command("DUMP", key), server.command("PEXPIRETIME", key)))
                .toList();
    }

    @Test
    void renewalOfOneClaimOfSeveralShortensNoOther() {
        try (RedisLockProvider provider = RedisProviders.on(server, Layout.HASH)) {
            TestClaim usual = TestClaim.once(provider, "a");
            TestClaim outer = TestClaim.owned(provider, "b", "workflow-17", LONG);
            TestClaim inner = TestClaim.owned(provider, "b", "workflow-17", TestClaim.LEASE);
            assertThat(List.of(usual, outer, inner)).allMatch(TestClaim::granted);
            String end = endOf(outer, "b");
            awaitNextMillisecond();

            assertThat(renewed(provider, usual, inner)).hasOnlyElementsOfType(Held.class);
            assertThat(endOf(outer, "b")).isEqualTo(end);
            assertThat(server.command("PEXPIRETIME", "holdfast:b")).hasToString(end);
        }
    }

    @Test
    void oneClaimOfSeveralIsNotProlongedOnceItHasEnded() {
        try (RedisLockProvider provider = RedisProviders.on(server, Layout.HASH)) {
            TestClaim usual = TestClaim.once(provider, "a");
            TestClaim outer = TestClaim.owned(provider, "b", "workflow-17", LONG);
            TestClaim inner = TestClaim.owned(provider, "b", "workflow-17", Duration.ofMillis(100));
            assertThat(List.of(usual, outer, inner)).allMatch(TestClaim::granted);
            long end = Long.parseLong(endOf(inner, "b"));
            Waits.soon().until(() -> serverMillis() > end);

            assertThat(renewed(provider, usual, inner).get(1)).isEqualTo(new Lost(LossCause.TAKEN_OVER));
            assertThat(renewed(provider, usual, outer)).hasOnlyElementsOfType(Held.class);
        }
    }

    private Map<String, Long> commandsOfRenewals(Layout layout, int count) {
        try (RedisLockProvider provider = RedisProviders.on(server, layout)) {
            List<TestClaim> claims = granted(provider, count);
            // Sends the script.
            assertThat(renewed(provider, claims.get(0), claims.get(1))).hasOnlyElementsOfType(Held.class);
            awaitNextMillisecond();
            server.command("CONFIG", "RESETSTAT");

            List<Renewal> answers = renewed(provider, claims.toArray(TestClaim[]::new));

            Map<String, Long> commands = COMMANDS.stream()
                    .filter(command -> server.calls(command) > 0)
                    .collect(Collectors.toMap(command -> command, server::calls));
            assertThat(answers).hasSize(count).hasOnlyElementsOfType(Held.class);
            return commands;
        }
    }

    /** A renewal in the millisecond of the one before prolongs nothing. */
    private void awaitNextMillisecond() {
        long now = serverMillis();
        Waits.soon().until(() -> serverMillis() > now);
    }

    private long serverMillis() {
        List<?> time = (List<?>) server.command("TIME");
        return Long.parseLong((String) time.get(0)) * 1000 + Long.parseLong((String) time.get(1)) / 1000;
    }

    private static List<TestClaim> granted(RedisLockProvider provider, int count) {
        List<TestClaim> claims = IntStream.range(0, count)
                .mapToObj(i -> TestClaim.once(provider, "lock-" + i))
                .toList();
        assertThat(claims).allMatch(TestClaim::granted);
        return claims;
    }

    private static List<Renewal> renewed(RedisLockProvider provider, TestClaim... claims) {
        return provider.renewAll(Stream.of(claims).map(claim -> claim.claim).toList());
    }

    @ParameterizedTest
    @EnumSource
    void claimsThatAreGoneAreLostAndTheOthersRenewed(Layout layout) {
        try (RedisLockProvider provider = RedisProviders.on(server, layout)) {
            List<TestClaim> claims = granted(provider, 5);
            claims.forEach(claim -> assertThat(claim.held()).isTrue());
            TestClaim deleted = claims.get(1);
            server.command("DEL", "holdfast:lock-1");
            TestClaim takenOver = claims.get(3);
            server.command("DEL", "holdfast:lock-3");
            assertThat(TestClaim.once(provider, "lock-3").granted()).isTrue();
            for (int i = 0; i < 5; i++) {
                server.command("PEXPIRE", "holdfast:lock-" + i, "10000");
            }

            List<Renewal> answers = renewed(provider, claims.toArray(TestClaim[]::new));

            for (int i = 0; i < 5; i++) {
                boolean isLost = List.of(deleted, takenOver).contains(claims.get(i));
                long left = (Long) server.command("PTTL", "holdfast:lock-" + i);
                if (isLost) {
                    assertThat(answers.get(i)).isEqualTo(new Lost(LossCause.TAKEN_OVER));
                    assertThat(left).isLessThanOrEqualTo(10_000);
                } else {
                    assertThat(answers.get(i)).isInstanceOf(Held.class);
                    assertThat(left).isGreaterThan(20_000);
                }
            }
            assertThat(server.command("EXISTS", "holdfast:lock-1")).isEqualTo(0L);
        }
    }

    @ParameterizedTest
    @EnumSource
    void eachClaimIsRenewedForItsOwnLeaseAndNeverShortened(Layout layout) {
        try (RedisLockProvider provider = RedisProviders.on(server, layout)) {
            TestClaim usual = TestClaim.once(provider, "a");
            TestClaim longer = TestClaim.once(provider, "b", LONG);
            TestClaim prolonged = TestClaim.once(provider, "c");
            assertThat(List.of(usual, longer, prolonged)).allMatch(TestClaim::granted);
            if (layout == Layout.HASH) {
                server.command("HSET", "holdfast:c", "claim:" + prolonged.id, Long.toString(serverMillis() + 90_000));
            }
            server.command("PEXPIRE", "holdfast:c", "90000");

            assertThat(renewed(provider, usual, longer, prolonged))
                    .hasOnlyElementsOfType(Held.class)
                    .extracting(answer -> ((Held) answer).validFor())
                    .containsExactly(Duration.ofMillis(29_970), Duration.ofMillis(59_940), Duration.ofMillis(29_970));
            assertThat((Long) server.command("PTTL", "holdfast:a")).isBetween(20_000L, 30_001L);
            assertThat((Long) server.command("PTTL", "holdfast:b")).isBetween(50_000L, 60_001L);
            assertThat((Long) server.command("PTTL", "holdfast:c")).isBetween(80_000L, 90_001L);
        }
    }

    @Test
    void recordsWithSeveralClaimsAndDamagedOnesHaveTheirOwnAnswers() {
        try (RedisLockProvider provider = RedisProviders.on(server, Layout.HASH)) {
            TestClaim usual = TestClaim.once(provider, "a");
            TestClaim outer = TestClaim.owned(provider, "b", "workflow-17", LONG);
            TestClaim inner = TestClaim.owned(provider, "b", "workflow-17", TestClaim.LEASE);
            TestClaim damaged = TestClaim.once(provider, "c");
            assertThat(List.of(usual, outer, inner, damaged)).allMatch(TestClaim::granted);
            server.command(
                    "HSET", "holdfast:c", "claim:" + damaged.id, "0" + endOf(damaged, "c"), "claim:x", "tomorrow");

            List<Renewal> answers = renewed(provider, usual, inner, damaged, outer);

            assertThat(answers.get(0)).isInstanceOf(Held.class);
            assertThat(answers.get(1)).isInstanceOf(Held.class);
            assertThat(answers.get(2))
                    .isInstanceOfSatisfying(
                            Unknown.class,
                            unknown -> assertThat(unknown.failure())
                                    .hasMessageContainingAll(
                                            "renewal of lock 'c' failed", "field claim:x of the key holdfast:c"));
            assertThat(answers.get(3)).isInstanceOf(Held.class);
            assertThat((Long) server.command("PTTL", "holdfast:b")).isGreaterThan(50_000);
        }
    }

    @ParameterizedTest
    @EnumSource
    void missingRightIsNamedForEachClaimOrCostsOneMoreRoundTrip(Layout layout) {
        locks.allow();
        try (RedisLockProvider provider = asLocks(layout)) {
            TestClaim[] claims = {TestClaim.once(provider, "a"), TestClaim.once(provider, "b")};
            assertThat(claims).allMatch(TestClaim::granted);

            for (String right : List.of(
                    "+mget", "+time", "+exists", "+hincrby", "+hlen", "+hget", "+pexpire", "+pexpireat", "+hset")) {
                locks.allowAllBut(right);
                for (int i = 0; i < claims.length; i++) {
                    locks.command("PEXPIRE", "holdfast:" + (i == 0 ? "a" : "b"), "20000");
                    Renewal together = renewed(provider, claims).get(i);
                    locks.command("PEXPIRE", "holdfast:" + (i == 0 ? "a" : "b"), "20000");
                    Renewal alone = renewed(provider, claims[i]).get(0);
                    assertThat(together).as(right).hasSameClassAs(alone);
                    if (alone instanceof Unknown unknown) {
                        assertThat(((Unknown) together).failure())
                                .hasMessage(unknown.failure().getMessage())
                                .hasMessageContaining(right);
                    }
                }
            }
        }
    }
}
