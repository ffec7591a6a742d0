package io.holdfast.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockHolder;
import io.holdfast.lock.jdbc.Databases.SharedPostgreSql;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.Release;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import io.holdfast.parts.Waits;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a grant writes, and what an ended lease means. */
@Tag("server")
class GrantsTest {

    /** Tolerance for milliseconds and two clocks. */
    private static final Duration ROUNDING = Duration.ofMillis(10);

    private final String name = "name-" + UUID.randomUUID();

    @Proves("2.2")
    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#all")
    void newRowAndTakenOverRowHaveTheRequestedLease(String url) {
        try (JdbcLockProvider provider = Databases.at(url)) {
            assertGrantedForTheLease(provider);
            Databases.expire(url, name, Duration.ofSeconds(1));
            assertGrantedForTheLease(provider);
        }
    }

    private void assertGrantedForTheLease(JdbcLockProvider provider) {
        long before = System.nanoTime();
        assertThat(TestClaim.once(provider, name).granted()).isTrue();
        Duration left = TestClaim.once(provider, name).refused().retryAfter().orElseThrow();
        Duration passed = Duration.ofNanos(System.nanoTime() - before);
        assertThat(left).isBetween(TestClaim.LEASE.minus(passed).minus(ROUNDING), TestClaim.LEASE.plus(ROUNDING));
    }

    @Proves("4.5")
    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#all")
    void expiredClaimHoldsNothingAndIsGrantedAgainWithANewToken(String url) {
        try (JdbcLockProvider provider = Databases.at(url)) {
            TestClaim claim = TestClaim.once(provider, name);
            long token = claim.token();
            assertThat(claim.token()).isEqualTo(token);
            Databases.expire(url, name, Duration.ofSeconds(1));
            assertThat(provider.holder(name)).isEmpty();
            assertThat(claim.token()).isGreaterThan(token);
            Databases.expire(url, name, Duration.ofSeconds(1));
            assertThat(claim.released()).isFalse();
        }
    }

    /** A token belongs to one grant, and so does a time: both stay, or both change. */
    @Proves("9.8")
    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#all")
    void timeOfTheGrantChangesWithTheTokenAlone(String url) {
        try (JdbcLockProvider provider = Databases.at(url)) {
            TestClaim claim = TestClaim.once(provider, name);
            long token = claim.token();
            LockHolder granted = provider.holder(name).orElseThrow();
            Waits.letPass(ROUNDING);
            assertThat(claim.token()).isEqualTo(token);
            assertThat(provider.holder(name)).contains(granted);

            Databases.expire(url, name, Duration.ofSeconds(1));
            assertThat(claim.token()).isGreaterThan(token);
            LockHolder again = provider.holder(name).orElseThrow();
            assertThat(again.since().orElseThrow()).isAfter(granted.since().orElseThrow());
            assertThat(claim.released()).isTrue();
        }
    }

    /** All columns, also when the former row is updated. */
    @Proves("2.1")
    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#all")
    void takeoverRecordsTheNewHolderAndTime(String url) {
        try (JdbcLockProvider provider = Databases.at(url)) {
            assertThat(TestClaim.once(provider, name).granted()).isTrue();
            Instant before = provider.holder(name).orElseThrow().since().orElseThrow();
            assertThat(before)
                    .isBetween(Instant.now().minusSeconds(60), Instant.now().plusSeconds(60));
            Databases.expire(url, name, Duration.ofSeconds(1));
            ClaimRequest request = new ClaimRequest(
                    name,
                    UUID.randomUUID().toString(),
                    "second owner",
                    TestClaim.LEASE,
                    ClaimRequest.Intent.TRY_ONCE,
                    new ClaimRequest.Claimant("second host", 12, "second thread"));
            Claim next = provider.newClaim(request, TestClaim.once(provider, name));
            assertThat(next.attempt()).isInstanceOf(Attempt.Granted.class);
            LockHolder now = provider.holder(name).orElseThrow();
            assertThat(now.owner()).isEqualTo("second owner");
            assertThat(now.host()).contains("second host");
            assertThat(now.pid()).hasValue(12);
            assertThat(now.thread()).contains("second thread");
            assertThat(now.since().orElseThrow()).isAfter(before);
            assertThat(next.release()).isEqualTo(Release.RELEASED);
        }
    }

    /** A refused attempt must not block attempts for other locks, nor the holder. */
    @Proves("1.5")
    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#newOfAll")
    void refusedAttemptDrawsNoToken(String url) {
        String drawn = url.startsWith("jdbc:postgresql:")
                ? "SELECT last_value FROM holdfast_lock_token"
                : url.startsWith("jdbc:h2:")
                        ? "SELECT token FROM holdfast_lock_token"
                        : "SELECT max(token) FROM holdfast_lock WHERE name_hash LIKE '#%'";
        try (JdbcLockProvider provider = Databases.at(url)) {
            TestClaim holder = TestClaim.once(provider, name);
            long token = holder.token();
            assertThat(Databases.ask(url, drawn)).isEqualTo(Long.toString(token));
            assertThat(TestClaim.once(provider, name).granted()).isFalse();
            assertThat(Databases.ask(url, drawn)).isEqualTo(Long.toString(token));
            assertThat(holder.released()).isTrue();
        }
    }

    @Proves("3.1")
    @Test
    void driverThatInlinesValuesRenewsLock() {
        try (JdbcLockProvider provider = Databases.at(SharedPostgreSql.URL + "&preferQueryMode=simple")) {
            TestClaim claim = TestClaim.once(provider, name);
            assertThat(claim.granted()).isTrue();
            assertThat(claim.held()).isTrue();
            assertThat(claim.released()).isTrue();
        }
    }
}
