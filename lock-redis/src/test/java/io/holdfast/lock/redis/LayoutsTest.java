package io.holdfast.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.redis.RedisLockProvider.Layout;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.parts.Proves;
import io.holdfast.parts.RedisServerScene;
import io.holdfast.parts.TestClaim;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What both layouts have in common. */
class LayoutsTest extends RedisServerScene {

    private static final Duration SHORT = Duration.ofMillis(150);
    private static final Duration BOUND = Duration.ofSeconds(20);

    @ParameterizedTest
    @EnumSource
    void grantIsValidForTheLeaseLessTheClockDrift(Layout layout) {
        try (RedisLockProvider provider = RedisProviders.on(server, layout)) {
            Attempt answer = TestClaim.once(provider, "a").claim.attempt();

            assertThat(answer)
                    .isInstanceOfSatisfying(
                            Attempt.Granted.class,
                            granted -> assertThat(granted.validFor()).isEqualTo(Duration.ofMillis(29_970)));
            assertThat((Long) server.command("PTTL", "holdfast:a")).isBetween(20_000L, 30_001L);
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusalTellsWhenTheLeaseEnds(Layout layout) {
        try (RedisLockProvider provider = RedisProviders.on(server, layout)) {
            TestClaim.once(provider, "a").granted();

            assertThat(TestClaim.once(provider, "a").refused().retryAfter().orElseThrow())
                    .isBetween(Duration.ofSeconds(20), Duration.ofMillis(30_001));
            assertThat(TestClaim.once(provider, "A").granted()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void repeatedAttemptIsGrantedWithTheSameTokenAndCountedOnce(Layout layout) {
        try (RedisLockProvider provider = RedisProviders.on(server, layout)) {
            TestClaim claim = TestClaim.once(provider, "a");
            long token = claim.token();

            assertThat(claim.token()).isEqualTo(token);
            assertThat(claim.released()).isTrue();
            assertThat(TestClaim.once(provider, "a").granted()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void releaseLeavesOnlyTheCounter(Layout layout) {
        try (RedisLockProvider provider = RedisProviders.on(server, layout)) {
            TestClaim claim = TestClaim.once(provider, "a");
            claim.granted();

            assertThat(claim.claim.release()).isEqualTo(Release.RELEASED);
            assertThat(claim.claim.release()).isEqualTo(Release.NOT_HELD);
            assertThat(claim.claim.renew()).isEqualTo(new Renewal.Lost(LossCause.TAKEN_OVER));
            assertThat(server.command("KEYS", "*")).isEqualTo(List.of("holdfast:#fence"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void expiredClaimNeitherRenewsNorReleasesTheNextHolders(Layout layout) {
        try (RedisLockProvider provider = RedisProviders.on(server, layout)) {
            TestClaim late = TestClaim.once(provider, "a", SHORT);
            long first = late.token();
            TestClaim next = TestClaim.once(provider, "a");
            await().atMost(BOUND).until(next::granted);

            assertThat(late.held()).isFalse();
            assertThat(late.released()).isFalse();
            assertThat(next.held()).isTrue();
            assertThat(next.token()).isGreaterThan(first);
        }
    }

    @ParameterizedTest
    @EnumSource
    void renewalSetsTheFullLease(Layout layout) {
        try (RedisLockProvider provider = RedisProviders.on(server, layout)) {
            TestClaim claim = TestClaim.once(provider, "a");
            claim.granted();
            server.command("PEXPIRE", "holdfast:a", "5000");

            assertThat(claim.held()).isTrue();
            assertThat((Long) server.command("PTTL", "holdfast:a")).isGreaterThan(20_000);
        }
    }

    @ParameterizedTest
    @EnumSource
    void renewalReportsADeletedLockAndDoesNotCreateItAgain(Layout layout) {
        try (RedisLockProvider provider = RedisProviders.on(server, layout)) {
            TestClaim claim = TestClaim.once(provider, "a");
            claim.granted();
            server.command("DEL", "holdfast:a");

            assertThat(claim.claim.renew()).isEqualTo(new Renewal.Lost(LossCause.TAKEN_OVER));
            assertThat(claim.released()).isFalse();
            assertThat(server.command("EXISTS", "holdfast:a")).isEqualTo(0L);
            assertThat(TestClaim.once(provider, "a").granted()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void holderIsShown(Layout layout) {
        try (RedisLockProvider provider = RedisProviders.on(server, layout)) {
            assertThat(provider.holder("a")).isEmpty();
            TestClaim claim = TestClaim.owned(provider, "a", "owner 100% {ö}\n", TestClaim.LEASE);
            long token = claim.token();

            LockHolder holder = provider.holder("a").orElseThrow();
            assertThat(holder.owner()).isEqualTo("owner 100% {ö}\n");
            assertThat(holder.host()).contains(TestClaim.CLAIMANT.host());
            assertThat(holder.pid()).hasValue(TestClaim.CLAIMANT.pid());
            assertThat(holder.thread()).contains(TestClaim.CLAIMANT.thread());
            assertThat(holder.fencingToken().orElseThrow().value()).isEqualTo(token);
            assertThat(Duration.between(holder.since().orElseThrow(), Instant.now())
                            .abs())
                    .isLessThan(Duration.ofMinutes(1));
            claim.released();
            assertThat(provider.holder("a")).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void honoursTheShortestAndTheLongestLease(Layout layout) {
        try (RedisLockProvider provider = RedisProviders.on(server, layout)) {
            assertThat(TestClaim.once(provider, "a", Duration.ofMillis(1)).granted())
                    .isTrue();
            await().atMost(BOUND).until(TestClaim.once(provider, "a", Duration.ofDays(365))::granted);
            assertThat((Long) server.command("PTTL", "holdfast:a"))
                    .isGreaterThan(Duration.ofDays(365).minusMinutes(1).toMillis());
        }
    }

    @Proves("7.3")
    @ParameterizedTest
    @EnumSource
    void refusalTellsWhenTheLeaseEndsInItsLastMillisecond(Layout layout) {
        try (RedisLockProvider provider = RedisProviders.on(server, layout)) {
            int refusals = 0;
            for (int i = 0; i < 100; i++) {
                // Longer than a round trip takes on a busy machine.
                TestClaim holder = TestClaim.once(provider, "a" + i, Duration.ofMillis(10));
                assertThat(holder.granted()).isTrue();
                TestClaim next = TestClaim.once(provider, "a" + i);
                Attempt answer = next.claim.attempt();
                while (answer instanceof Attempt.Contended refusal) {
                    assertThat(refusal.retryAfter()).isPresent();
                    refusals++;
                    answer = next.claim.attempt();
                }
            }
            assertThat(refusals).isPositive();
        }
    }
}
