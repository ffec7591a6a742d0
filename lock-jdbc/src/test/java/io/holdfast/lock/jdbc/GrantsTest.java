package io.holdfast.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.jdbc.Databases.SharedPostgreSql;
import io.holdfast.parts.Bidder;
import io.holdfast.parts.Proves;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a grant writes, and what counts no longer when its lease has ended. */
class GrantsTest {

    /** Of a database that tells milliseconds, and of two clocks. */
    private static final Duration ROUNDING = Duration.ofMillis(10);

    private final String name = "name-" + UUID.randomUUID();

    @Proves("2.2")
    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#all")
    void aNewRowAndOneThatIsTakenOverHaveTheLeaseThatWasAskedFor(String url) {
        try (JdbcLockProvider provider = Databases.at(url)) {
            assertGrantedForTheLease(provider);
            Databases.expire(url, name, Duration.ofSeconds(1));
            assertGrantedForTheLease(provider);
        }
    }

    private void assertGrantedForTheLease(JdbcLockProvider provider) {
        long before = System.nanoTime();
        assertThat(Bidder.once(provider, name).granted()).isTrue();
        Duration left = Bidder.once(provider, name).refused().retryAfter().orElseThrow();
        Duration passed = Duration.ofNanos(System.nanoTime() - before);
        assertThat(left).isBetween(Bidder.LEASE.minus(passed).minus(ROUNDING), Bidder.LEASE.plus(ROUNDING));
    }

    @Proves("4.5")
    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#all")
    void aClaimWhoseLeaseHasEndedHoldsNothingAndIsGrantedAnewWithANewToken(String url) {
        try (JdbcLockProvider provider = Databases.at(url)) {
            Bidder bidder = Bidder.once(provider, name);
            long token = bidder.token();
            assertThat(bidder.token()).isEqualTo(token);
            Databases.expire(url, name, Duration.ofSeconds(1));
            assertThat(provider.holder(name)).isEmpty();
            assertThat(bidder.token()).isGreaterThan(token);
            Databases.expire(url, name, Duration.ofSeconds(1));
            assertThat(bidder.released()).isFalse();
        }
    }

    @Proves("3.1")
    @Test
    void aLockIsRenewedAlsoByADriverThatWritesTheValuesIntoTheStatement() {
        try (JdbcLockProvider provider = Databases.at(SharedPostgreSql.URL + "&preferQueryMode=simple")) {
            Bidder bidder = Bidder.once(provider, name);
            assertThat(bidder.granted()).isTrue();
            assertThat(bidder.held()).isTrue();
            assertThat(bidder.released()).isTrue();
        }
    }
}
