package io.holdfast.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.jdbc.jpa.JpaLockProvider;
import io.holdfast.lock.jdbc.jpa.JpaLockProvider.Strategy;
import io.holdfast.lock.jdbc.jpa.JpaSweeping;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import io.holdfast.parts.Waits;
import jakarta.persistence.EntityManagerFactory;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What an operation by JPA decides by, if the row changes between its steps. */
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("units of JpaRecordsTest")
@Tag("server")
class JpaRecordsTest {

    private static final Map<String, RecordedUnit> UNITS = new ConcurrentHashMap<>();
    private static final String DRAWING = "holdfast_lock_token";

    private final String name = "name-" + UUID.randomUUID();

    static Stream<Arguments> all() {
        return Stream.of("PostgreSQL", "H2")
                .map(database -> UNITS.computeIfAbsent(database, JpaRecordsTest::open))
                .flatMap(unit -> Stream.of(Strategy.values()).map(strategy -> Arguments.of(unit, strategy)));
    }

    static Stream<RecordedUnit> units() {
        return all().map(each -> (RecordedUnit) each.get()[0]).distinct();
    }

    /** In a separate database: the sweeps of other tests would remove rows. */
    private static RecordedUnit open(String database) {
        String url = database.equals("H2") ? Databases.h2() : Databases.newPostgreSql();
        Databases.createTable(url);
        return RecordedUnit.open(url);
    }

    @AfterAll
    static void close() {
        UNITS.values().forEach(RecordedUnit::close);
        UNITS.clear();
    }

    private void endsIn(RecordedUnit unit, String seconds) {
        Databases.run(
                unit.url(),
                "UPDATE holdfast_lock SET expires_at = CURRENT_TIMESTAMP + INTERVAL '" + seconds
                        + "' SECOND WHERE name LIKE '" + name + "%'");
    }

    private Duration remaining(JpaLockProvider provider, String lock) {
        return TestClaim.once(provider, lock).refused().retryAfter().orElseThrow();
    }

    private static void assertWhole(Duration remaining, Duration lease) {
        assertThat(remaining).isBetween(lease.minusSeconds(20), lease.plusMillis(1));
    }

    @Proves("1.1")
    @ParameterizedTest
    @MethodSource("all")
    void attemptOvertakenBetweenItsReadsIsRefused(RecordedUnit unit, Strategy strategy) {
        try (JpaLockProvider provider = unit.provider(strategy);
                JdbcLockProvider jdbc = Databases.at(unit.url())) {
            TestClaim rival = TestClaim.once(jdbc, name);
            unit.once(DRAWING, () -> assertThat(rival.granted()).isTrue());
            assertWhole(TestClaim.once(provider, name).refused().retryAfter().orElseThrow(), TestClaim.LEASE);
            if (unit.url().startsWith("jdbc:h2:")) {
                // What it drew was not committed. A sequence does not show that.
                assertThat(Databases.ask(unit.url(), "SELECT token FROM holdfast_lock_token"))
                        .isEqualTo(Databases.ask(
                                unit.url(), "SELECT token FROM holdfast_lock WHERE name = '" + name + "'"));
            }
            assertThat(rival.held()).isTrue();
            assertThat(rival.released()).isTrue();
        }
    }

    @Proves({"1.3", "9.8"})
    @ParameterizedTest
    @MethodSource("all")
    void repeatedAttemptKeepsTheTokenAndTheTimeOfItsGrantAndGetsAWholeLease(RecordedUnit unit, Strategy strategy) {
        try (JpaLockProvider provider = unit.provider(strategy)) {
            TestClaim holder = TestClaim.once(provider, name, Duration.ofSeconds(60));
            long token = holder.token();
            LockHolder granted = provider.holder(name).orElseThrow();
            assertWhole(remaining(provider, name), Duration.ofSeconds(60));
            endsIn(unit, "30");
            assertThat(holder.token()).isEqualTo(token);
            assertThat(provider.holder(name)).contains(granted);
            assertWhole(remaining(provider, name), Duration.ofSeconds(60));

            endsIn(unit, "-1");
            assertThat(holder.token()).isGreaterThan(token);
            LockHolder again = provider.holder(name).orElseThrow();
            assertThat(again.since().orElseThrow()).isAfter(granted.since().orElseThrow());
            assertThat(holder.released()).isTrue();
        }
    }

    @Proves({"2.1", "6.1"})
    @ParameterizedTest
    @MethodSource("all")
    void takeoverDrawsATokenAndRecordsTheNewHolder(RecordedUnit unit, Strategy strategy) {
        try (JpaLockProvider provider = unit.provider(strategy)) {
            long token = TestClaim.once(provider, name).token();
            LockHolder before = provider.holder(name).orElseThrow();
            assertThat(before.since().orElseThrow())
                    .isBetween(Instant.now().minusSeconds(60), Instant.now().plusSeconds(60));
            endsIn(unit, "-1");
            assertThat(provider.holder(name)).isEmpty();
            ClaimRequest request = new ClaimRequest(
                    name,
                    UUID.randomUUID().toString(),
                    "second owner",
                    Duration.ofSeconds(60),
                    ClaimRequest.Intent.TRY_ONCE,
                    new ClaimRequest.Claimant("second host", 12, "second thread"));
            Claim next = provider.newClaim(request, TestClaim.once(provider, name));
            assertThat(next.attempt()).isInstanceOf(Attempt.Granted.class);
            assertWhole(remaining(provider, name), Duration.ofSeconds(60));
            LockHolder now = provider.holder(name).orElseThrow();
            assertThat(now.owner()).isEqualTo("second owner");
            assertThat(now.host()).contains("second host");
            assertThat(now.pid()).hasValue(12);
            assertThat(now.thread()).contains("second thread");
            assertThat(now.since().orElseThrow()).isAfter(before.since().orElseThrow());
            assertThat(now.fencingToken().orElseThrow().value()).isGreaterThan(token);
            assertThat(next.renew()).isInstanceOf(Renewal.Held.class);
            next.release();
        }
    }

    @Proves({"3.1", "3.2"})
    @ParameterizedTest
    @MethodSource("all")
    void renewalGivesEachClaimItsOwnLease(RecordedUnit unit, Strategy strategy) {
        try (JpaLockProvider provider = unit.provider(strategy)) {
            TestClaim shorter = TestClaim.once(provider, name + "-shorter", Duration.ofSeconds(30));
            TestClaim longer = TestClaim.once(provider, name + "-longer", Duration.ofSeconds(90));
            assertThat(List.of(shorter, longer)).allMatch(TestClaim::granted);
            endsIn(unit, "5");
            assertThat(provider.renewAll(List.of(shorter.claim, longer.claim)))
                    .hasOnlyElementsOfType(Renewal.Held.class);
            assertWhole(remaining(provider, name + "-shorter"), Duration.ofSeconds(30));
            assertWhole(remaining(provider, name + "-longer"), Duration.ofSeconds(90));
            endsIn(unit, "-1");
            assertThat(provider.renewAll(List.of(shorter.claim, longer.claim)))
                    .hasOnlyElementsOfType(Renewal.Lost.class);
            assertThat(provider.holder(name + "-longer")).isEmpty();
            assertThat(shorter.released()).isFalse();
            assertThat(longer.released()).isFalse();
        }
    }

    @Proves("3.2")
    @ParameterizedTest
    @MethodSource("all")
    void delayedRenewalDoesNotProlongAnExpiredLease(RecordedUnit unit, Strategy strategy) {
        try (JpaLockProvider provider = unit.provider(strategy)) {
            TestClaim holder = TestClaim.once(provider, name, Duration.ofSeconds(2));
            assertThat(holder.granted()).isTrue();
            String ended = "SELECT count(*) FROM holdfast_lock WHERE name = '" + name
                    + "' AND expires_at <= CURRENT_TIMESTAMP";
            unit.once(
                    unit.renewing(),
                    () -> Waits.soon()
                            .until(() -> Databases.ask(unit.url(), ended).equals("1")));
            assertThat(holder.held()).isFalse();
            assertThat(holder.released()).isFalse();
        }
    }

    @Proves("5.2")
    @ParameterizedTest
    @MethodSource("all")
    void overtakenReleaseLeavesTheRow(RecordedUnit unit, Strategy strategy) {
        try (JpaLockProvider provider = unit.provider(strategy);
                JdbcLockProvider jdbc = Databases.at(unit.url())) {
            TestClaim holder = TestClaim.once(provider, name);
            TestClaim rival = TestClaim.once(jdbc, name);
            assertThat(holder.granted()).isTrue();
            unit.once("delete from holdfast_lock", () -> {
                endsIn(unit, "-1");
                assertThat(rival.granted()).isTrue();
            });
            assertThat(holder.released()).isFalse();
            assertThat(rival.held()).isTrue();
            assertThat(holder.released()).isFalse();
            assertThat(rival.held()).isTrue();
            assertThat(rival.released()).isTrue();
        }
    }

    @Proves("1.1")
    @ParameterizedTest
    @MethodSource("units")
    void optimisticWriteOfAReplacedRowIsContended(RecordedUnit unit) {
        String row = "FROM holdfast_lock WHERE name = '" + name + "'";
        try (JpaLockProvider provider = unit.provider(Strategy.OPTIMISTIC)) {
            assertThat(TestClaim.once(provider, name).granted()).isTrue();
            endsIn(unit, "-1");
            Databases.run(unit.url(), "CREATE TABLE anew AS SELECT * " + row);
            Databases.run(unit.url(), "UPDATE anew SET version = version + 1, claim_id = 'anew'");
            unit.once(
                    "update holdfast_lock set",
                    () -> Databases.run(unit.url(), "DELETE " + row, "INSERT INTO holdfast_lock SELECT * FROM anew"));
            assertThat(TestClaim.once(provider, name).granted()).isFalse();
            assertThat(Databases.ask(unit.url(), "SELECT claim_id " + row)).isEqualTo("anew");
        }
    }

    @ParameterizedTest
    @MethodSource("all")
    void sweepSkipsLockedRows(RecordedUnit unit, Strategy strategy) throws SQLException {
        String there = "SELECT count(*) FROM holdfast_lock WHERE name = '" + name + "'";
        try (JpaLockProvider provider = unit.provider(strategy)) {
            assertThat(TestClaim.once(provider, name).granted()).isTrue();
            endsIn(unit, "-120");
            try (Connection other = JpaServer.uncommitted(
                    unit.url(), "SELECT * FROM holdfast_lock WHERE name = '" + name + "' FOR UPDATE")) {
                JpaSweeping.sweep(provider);
                other.rollback();
            }
            assertThat(Databases.ask(unit.url(), there)).isEqualTo("1");
            JpaSweeping.sweep(provider);
            assertThat(Databases.ask(unit.url(), there)).isEqualTo("0");
        }
    }

    /** A sweep must not block the renewals of held locks. */
    @Proves("3.6")
    @ParameterizedTest
    @MethodSource("all")
    void sweepLocksNoRowInForce(RecordedUnit unit, Strategy strategy) {
        try (JpaLockProvider provider = unit.provider(strategy);
                JdbcLockProvider jdbc = Databases.at(unit.url())) {
            assertThat(TestClaim.once(provider, name).granted()).isTrue();
            endsIn(unit, "-120");
            TestClaim holder = TestClaim.once(jdbc, name + "-held");
            assertThat(holder.granted()).isTrue();
            unit.once(
                    RecordingDataSource.COMMIT, () -> assertThat(holder.held()).isTrue());
            assertThat(JpaSweeping.sweep(provider)).isPositive();
            assertThat(holder.released()).isTrue();
        }
    }

    @Test
    void optimisticAttemptAtALockedRowFailsInH2() throws SQLException {
        String url = Databases.h2() + ";LOCK_TIMEOUT=200";
        Databases.createTable(url);
        RecordedUnit unit = RecordedUnit.open(url);
        try (HikariDataSource pool = unit.pool();
                EntityManagerFactory factory = unit.factory();
                JpaLockProvider provider = unit.provider(Strategy.OPTIMISTIC)) {
            assertThat(factory.isOpen() && !pool.isClosed()).isTrue();
            assertThat(TestClaim.once(provider, name).granted()).isTrue();
            endsIn(unit, "-1");
            try (Connection other =
                    JpaServer.uncommitted(url, "SELECT * FROM holdfast_lock WHERE name = '" + name + "' FOR UPDATE")) {
                assertThatThrownBy(TestClaim.once(provider, name)::granted)
                        .isInstanceOf(LockStoreException.class)
                        .hasMessageContaining("a row was locked for too long");
                other.rollback();
            }
            assertThat(TestClaim.once(provider, name).granted()).isTrue();
        }
    }
}
