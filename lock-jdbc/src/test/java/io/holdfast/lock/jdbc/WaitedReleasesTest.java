package io.holdfast.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.jdbc.jpa.JpaLockProvider.Strategy;
import io.holdfast.lock.jdbc.table.LockKey;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import io.holdfast.parts.Waits;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** PostgreSQL lets transactions that notify commit one after the other, so a release notifies only if somebody waits. */
@Tag("server")
class WaitedReleasesTest {

    private static final String URL = Databases.SharedPostgreSql.URL;
    private static final Duration SOON = Duration.ofMillis(20);

    /** In which others hear of a release. */
    private static final Duration PAUSE = Duration.ofMillis(3);

    private static final Duration LONG = Duration.ofSeconds(5);

    private final String name = "name-" + UUID.randomUUID();
    private final String hash = LockKey.of(name).hash();

    private static void run(Connection connection, String statement) throws SQLException {
        try (Statement each = connection.createStatement()) {
            each.execute(statement);
        }
    }

    private Connection transaction(String statement) throws SQLException {
        Connection connection = Databases.connect(URL);
        connection.setAutoCommit(false);
        run(connection, statement);
        return connection;
    }

    /** How many notifications of the lock have come; they come in the order of the commits, so none is under way. */
    private int notifications(Connection listening) throws SQLException {
        String last = UUID.randomUUID().toString();
        run(listening, "NOTIFY holdfast_lock, '" + last + "'");
        List<String> received = new ArrayList<>();
        while (!received.contains(last)) {
            for (PGNotification each : listening.unwrap(PGConnection.class).getNotifications(10_000)) {
                received.add(each.getParameter());
            }
        }
        return (int) received.stream().filter(hash::equals).count();
    }

    private boolean isMarked() {
        return Databases.ask(URL, "SELECT waited FROM holdfast_lock WHERE name_hash = '" + hash + "'")
                .equals("t");
    }

    @Proves("7.2")
    @Test
    void releaseNotifiesOnlyIfAClaimWaits() throws SQLException {
        try (JdbcLockProvider provider = Databases.at(URL);
                JdbcLockProvider other = Databases.at(URL);
                Connection listening = Databases.connect(URL)) {
            run(listening, "LISTEN holdfast_lock");
            TestClaim alone = TestClaim.once(provider, name);
            assertThat(alone.granted()).isTrue();
            assertThat(TestClaim.once(other, name).granted()).isFalse();
            assertThat(isMarked()).isFalse();
            assertThat(alone.released()).isTrue();
            assertThat(notifications(listening)).isZero();

            TestClaim holder = TestClaim.once(provider, name);
            assertThat(holder.granted()).isTrue();
            TestClaim waiter = TestClaim.waiting(other, name);
            assertThat(waiter.refused().retryAfter().orElseThrow()).isGreaterThan(LONG);
            assertThat(holder.held()).isTrue();
            assertThat(isMarked()).isTrue();
            assertThat(holder.released()).isTrue();
            assertThat(notifications(listening)).isEqualTo(1);
            assertThat(waiter.granted()).isTrue();
            assertThat(waiter.released()).isTrue();
        }
    }

    private static void acquireAndRelease(JdbcLockProvider provider, String name) {
        TestClaim claim = TestClaim.waiting(provider, name);
        assertThat(claim.granted()).isTrue();
        assertThat(claim.released()).isTrue();
    }

    /**
     * Clients that were woken by the same message do not see its row yet, and cannot mark it. The next claims have the same
     * rivals. Another client counts as gone soon, so nothing else is asked of the database meanwhile.
     */
    @Proves("7.2")
    @Test
    void claimsMarkTheirOwnRowsUntilOtherClientsHaveGone() throws SQLException {
        try (JdbcLockProvider provider = Databases.at(URL);
                JdbcLockProvider other = Databases.at(URL);
                Connection listening = Databases.connect(URL)) {
            run(listening, "LISTEN holdfast_lock");
            Waits.soon().until(() -> {
                TestClaim holder = TestClaim.once(other, name);
                assertThat(holder.granted()).isTrue();
                TestClaim.waiting(provider, name).refused();
                assertThat(holder.released()).isTrue();
                acquireAndRelease(provider, name);
                acquireAndRelease(provider, name);
                return notifications(listening) == 3;
            });
            Waits.soon().until(() -> {
                acquireAndRelease(provider, name);
                return notifications(listening) == 0;
            });
        }
    }

    /** It knows of the release before those who wait for its message. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void providerThatReleasedForOthersLetsThemGoFirst(boolean byJpa) throws SQLException {
        try (LockProvider provider = byJpa ? JpaUnits.at(URL, Strategy.OPTIMISTIC) : Databases.at(URL);
                JdbcLockProvider other = Databases.at(URL)) {
            for (int round = 0; round < 20; round++) {
                TestClaim holder = TestClaim.once(provider, name);
                assertThat(holder.granted()).isTrue();
                TestClaim.waiting(other, name).refused();
                long before = System.nanoTime();
                assertThat(holder.released()).isTrue();
                TestClaim again = TestClaim.waiting(provider, name);
                assertThat(again.granted()).isTrue();
                assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThanOrEqualTo(PAUSE);
                assertThat(again.released()).isTrue();
            }
        }
    }

    /** Else its release would not notify: the waiters of the claim before may not have asked again. */
    @Proves("7.2")
    @Test
    void lockThatIsTakenOverStaysMarked() throws SQLException {
        try (JdbcLockProvider provider = Databases.at(URL)) {
            TestClaim dead = TestClaim.once(provider, name);
            assertThat(dead.granted()).isTrue();
            TestClaim.waiting(provider, name).refused();
            Databases.expire(URL, name, Duration.ofSeconds(1));
            TestClaim next = TestClaim.once(provider, name);
            assertThat(next.granted()).isTrue();
            assertThat(isMarked()).isTrue();
            assertThat(next.released()).isTrue();
        }
    }

    /** A release that is not committed has read already that nobody waits. */
    @Proves("7.2")
    @Test
    void claimThatMeetsAReleaseUnderWayAsksAgainSoon() throws SQLException {
        try (JdbcLockProvider provider = Databases.at(URL)) {
            TestClaim holder = TestClaim.once(provider, name);
            assertThat(holder.granted()).isTrue();
            TestClaim waiter = TestClaim.waiting(provider, name);
            try (Connection release = transaction("DELETE FROM holdfast_lock WHERE name_hash = '" + hash + "'")) {
                assertThat(waiter.refused().retryAfter().orElseThrow()).isLessThanOrEqualTo(SOON);
                // One that does not wait for a message is told the truth.
                assertThat(TestClaim.once(provider, name).refused().retryAfter().orElseThrow())
                        .isGreaterThan(LONG);
                release.commit();
            }
            assertThat(waiter.granted()).isTrue();
            assertThat(waiter.released()).isTrue();
        }
    }

    /** It waits for the other one, and still sees what was there when its statement began. */
    @Proves("7.2")
    @Test
    void claimThatLosesTheRaceForAFreeLockAsksAgainSoon() throws Exception {
        try (JdbcLockProvider provider = Databases.at(URL, "timeout", "20s");
                JdbcLockProvider other = Databases.at(URL)) {
            TestClaim waiter = TestClaim.waiting(provider, name);
            TestClaim winner = TestClaim.once(other, name);
            CompletableFuture<Duration> retryAfter;
            try (Connection first = transaction("SELECT pg_advisory_xact_lock(" + LockKey.ADVISORY_CLASS + ", "
                    + LockKey.of(name).advisoryId() + ")")) {
                retryAfter = CompletableFuture.supplyAsync(
                        () -> waiter.refused().retryAfter().orElseThrow());
                Waits.soon().until(() -> isWaitingForTheName());
                run(
                        first,
                        "INSERT INTO holdfast_lock (name_hash, name, claim_id, token, version, owner_id, host, pid, thread,"
                                + " acquired_at, expires_at) VALUES ('" + hash + "', '" + name + "', '" + winner.id
                                + "', 1, 1, 'o', 'h', 1, 't', now(), now() + interval '1 minute')");
                first.commit();
            }
            assertThat(retryAfter.join()).isLessThanOrEqualTo(SOON);
            assertThat(waiter.refused().retryAfter().orElseThrow()).isGreaterThan(LONG);
            assertThat(isMarked()).isTrue();
            // It attempts, so that it may release.
            assertThat(winner.granted()).isTrue();
            assertThat(winner.released()).isTrue();
        }
    }

    private boolean isWaitingForTheName() {
        return !Databases.ask(
                        URL,
                        "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND classid = "
                                + LockKey.ADVISORY_CLASS + " AND objid = "
                                + Integer.toUnsignedString(LockKey.of(name).advisoryId()))
                .isEmpty();
    }

    @Test
    void claimDoesNotWaitForALockedRowToMarkIt() throws SQLException {
        try (JdbcLockProvider provider = Databases.at(URL)) {
            TestClaim holder = TestClaim.once(provider, name);
            assertThat(holder.granted()).isTrue();
            TestClaim waiter = TestClaim.waiting(provider, name);
            try (Connection guard =
                    transaction("SELECT * FROM holdfast_lock WHERE name_hash = '" + hash + "' FOR UPDATE")) {
                assertThat(waiter.refused().retryAfter().orElseThrow()).isLessThanOrEqualTo(SOON);
                guard.rollback();
            }
            assertThat(waiter.refused().retryAfter().orElseThrow()).isGreaterThan(LONG);
            assertThat(isMarked()).isTrue();
            // Another one finds the mark, and need not lock the row.
            try (Connection guard =
                    transaction("SELECT * FROM holdfast_lock WHERE name_hash = '" + hash + "' FOR UPDATE")) {
                assertThat(TestClaim.waiting(provider, name)
                                .refused()
                                .retryAfter()
                                .orElseThrow())
                        .isGreaterThan(LONG);
                guard.rollback();
            }
            assertThat(holder.released()).isTrue();
        }
    }
}
