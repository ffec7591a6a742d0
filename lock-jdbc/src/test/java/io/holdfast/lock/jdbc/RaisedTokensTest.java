package io.holdfast.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.jdbc.jpa.JpaLockProvider.Strategy;
import io.holdfast.lock.jdbc.table.LockKey;
import io.holdfast.lock.jdbc.table.LockRecords;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import io.holdfast.parts.Waits;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tokens that begin above a number. */
@Tag("server")
class RaisedTokensTest {

    private static final long AHEAD = 5_000_000_000_000_000L;
    private static final String RAISING = "pg_advisory_xact_lock(" + LockKey.RAISING_CLASS + ", 0)";

    private static long next(LockProvider provider, String name) {
        TestClaim claim = TestClaim.once(provider, name);
        long token = claim.token();
        assertThat(claim.released()).isTrue();
        return token;
    }

    private static String newName() {
        return "name-" + UUID.randomUUID();
    }

    @Proves("6.7")
    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#newOfAll")
    void everyNameOfEveryClientHasGreaterTokens(String url) {
        try (JdbcLockProvider raising = Databases.at(url);
                JdbcLockProvider other = Databases.at(url)) {
            assertThat(raising.highestToken()).isZero();
            long before = next(other, "a");
            assertThat(raising.highestToken()).isGreaterThanOrEqualTo(before);

            raising.raiseTokens(AHEAD);

            assertThat(other.highestToken()).isGreaterThanOrEqualTo(AHEAD);
            long last = next(other, "a");
            assertThat(last).isGreaterThan(AHEAD);
            for (int i = 0; i < 300; i++) {
                assertThat(next(i % 2 == 0 ? other : raising, newName())).isGreaterThan(AHEAD);
            }
            raising.raiseTokens(before);
            raising.raiseTokens(AHEAD);
            assertThat(next(other, "a")).isGreaterThan(last);
            assertThat(other.highestToken())
                    .isGreaterThanOrEqualTo(last)
                    .isLessThan(AHEAD + 400 * LockRecords.MOST_TOKENS);
        }
    }

    /** The first token of a new sequence is its first value, and not the one after it. */
    @Proves("6.7")
    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#newOfAll")
    void unusedStoreIsRaisedAboveItsFirstNumber(String url) {
        try (JdbcLockProvider provider = Databases.at(url)) {
            provider.raiseTokens(1);

            assertThat(next(provider, "a")).isGreaterThan(1);
        }
    }

    @Proves("6.2")
    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#newOfAll")
    void heldLockKeepsItsToken(String url) {
        try (JdbcLockProvider provider = Databases.at(url)) {
            TestClaim holder = TestClaim.once(provider, "a");
            long token = holder.token();

            provider.raiseTokens(AHEAD);

            assertThat(holder.token()).isEqualTo(token);
            assertThat(holder.held()).isTrue();
            assertThat(provider.holder("a")
                            .orElseThrow()
                            .fencingToken()
                            .orElseThrow()
                            .value())
                    .isEqualTo(token);
            assertThat(holder.released()).isTrue();
        }
    }

    @Proves("6.7")
    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.JpaUnits#urls")
    void jpaRaisesTheTokensOfJdbc(String url) {
        try (JdbcLockProvider jdbc = Databases.at(url);
                LockProvider jpa = JpaUnits.at(url, Strategy.OPTIMISTIC)) {
            long above = next(jdbc, newName()) + 1_000_000;

            jpa.raiseTokens(above);

            assertThat(next(jdbc, newName())).isGreaterThan(above);
            assertThat(next(jpa, newName())).isGreaterThan(above);
            jdbc.raiseTokens(above * 2);
            assertThat(next(jpa, newName())).isGreaterThan(above * 2);
            assertThat(jpa.highestToken()).isGreaterThan(above * 2);
        }
    }

    @Proves("6.7")
    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#newOfAll")
    void tooLargeNumberIsRefusedAndChangesNothing(String url) {
        try (JdbcLockProvider provider = Databases.at(url)) {
            assertThatThrownBy(() -> provider.raiseTokens(Long.MAX_VALUE))
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageContainingAll(Long.toString(Long.MAX_VALUE), "allowed is up to " + (1L << 62));

            assertThat(next(provider, "a")).isLessThan(AHEAD);
            provider.raiseTokens(1L << 62);
            assertThat(next(provider, "a")).isGreaterThan(1L << 62);
        }
    }

    @Proves({"6.1", "6.7"})
    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#newOfAll")
    void grantsUnderWayAreBelowOrAboveButNeverLate(String url) {
        AtomicLong floor = new AtomicLong();
        ExecutorService threads = Executors.newFixedThreadPool(5);
        try (JdbcLockProvider provider = Databases.at(url)) {
            List<CompletableFuture<Void>> runs = new ArrayList<>();
            for (int thread = 0; thread < 4; thread++) {
                String name = "name-" + thread % 3;
                runs.add(CompletableFuture.runAsync(() -> takeOften(provider, name, floor), threads));
            }
            runs.add(CompletableFuture.runAsync(
                    () -> {
                        for (int raise = 0; raise < 60; raise++) {
                            // A little above the present tokens: what is drawn meanwhile may be beyond it.
                            long above = provider.highestToken() + raise % 7;
                            provider.raiseTokens(above);
                            floor.accumulateAndGet(above, Math::max);
                        }
                    },
                    threads));
            runs.forEach(CompletableFuture::join);
        } finally {
            threads.shutdownNow();
        }
        assertThat(floor).hasValueGreaterThan(60);
    }

    private static void takeOften(LockProvider provider, String name, AtomicLong floor) {
        long last = 0;
        for (int attempt = 0; attempt < 150; attempt++) {
            long raised = floor.get();
            TestClaim claim = TestClaim.once(provider, name);
            long token = claim.tokenOrZero();
            if (token > 0) {
                assertThat(token).isGreaterThan(Math.max(last, raised));
                last = token;
                assertThat(claim.released()).isTrue();
            }
        }
    }

    /** A provider that waits longer than a test takes to act on what is blocked. */
    private static JdbcLockProvider patient(String url) {
        return Databases.at(url, "timeout", "20s");
    }

    /** An attempt has drawn its token and not written its row yet. */
    @Proves("6.7")
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void raisingWaitsForDrawnTokensInPostgreSql(boolean byJpa) {
        String url = Databases.newPostgreSql();
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try (HikariDataSource pool = JpaUnits.pool(url);
                LockProvider provider = byJpa ? JpaUnits.over(pool, Strategy.OPTIMISTIC) : patient(url);
                Connection operator = Databases.connect(url)) {
            // The insertion waits for this row.
            transaction(
                    operator,
                    "INSERT INTO holdfast_lock SELECT '" + LockKey.of("a").hash()
                            + "', 'a', 'x', 0, 0, '', '', 0, '', now(), now() - interval '1 hour'");
            CompletableFuture<Long> slow = CompletableFuture.supplyAsync(() -> next(provider, "a"), threads);
            Waits.soon()
                    .until(() -> Databases.ask(url, "SELECT is_called FROM holdfast_lock_token")
                            .equals("t"));

            CompletableFuture<Void> raising = CompletableFuture.runAsync(() -> provider.raiseTokens(AHEAD), threads);
            Waits.soon().until(() -> waiting(url, RAISING) || raising.isDone());
            assertThat(raising).isNotDone();
            operator.rollback();

            assertThat(slow.join()).isLessThan(AHEAD);
            raising.join();
            assertThat(next(provider, "a")).isGreaterThan(AHEAD);
        } catch (SQLException failure) {
            throw new AssertionError(failure);
        } finally {
            threads.shutdownNow();
        }
    }

    /** Others draw tokens beyond the number, between the request and the moment in which it can have the sequence alone. */
    @Proves("6.7")
    @Test
    void raisingNeverSetsTheSequenceBackInPostgreSql() throws SQLException {
        String url = Databases.newPostgreSql();
        try (JdbcLockProvider provider = patient(url);
                Connection attempts = Databases.connect(url)) {
            transaction(attempts, "SELECT pg_advisory_xact_lock_shared(" + LockKey.RAISING_CLASS + ", 0)");
            CompletableFuture<Void> raising = CompletableFuture.runAsync(() -> provider.raiseTokens(100));
            Waits.soon().until(() -> waiting(url, RAISING));
            transaction(attempts, "SELECT nextval('holdfast_lock_token') FROM generate_series(1, 500)");
            attempts.commit();
            raising.join();

            assertThat(next(provider, "a")).isEqualTo(500 * LockRecords.MOST_TOKENS + 1);
        }
    }

    private static void transaction(Connection connection, String statement) throws SQLException {
        connection.setAutoCommit(false);
        try (Statement each = connection.createStatement()) {
            each.execute(statement);
        }
    }

    private static boolean waiting(String url, String statement) {
        return !Databases.ask(
                        url,
                        "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'advisory' AND query LIKE '%" + statement
                                + "%'")
                .isEmpty();
    }

    @Proves("6.7")
    @Test
    void missingPrivilegesAreNamedInPostgreSql() {
        String url = Databases.newPostgreSql();
        Databases.run(
                url,
                "DROP ROLE IF EXISTS raising",
                "CREATE ROLE raising LOGIN",
                "GRANT SELECT, INSERT, UPDATE, DELETE ON holdfast_lock TO raising",
                "GRANT USAGE ON SEQUENCE holdfast_lock_token TO raising");
        try (JdbcLockProvider provider = Databases.at(url.replace("user=postgres", "user=raising"))) {
            assertThat(next(provider, "a")).isPositive();
            for (Runnable call : List.<Runnable>of(provider::highestToken, () -> provider.raiseTokens(AHEAD))) {
                assertThatThrownBy(call::run)
                        .isInstanceOf(LockStoreException.class)
                        .hasMessageContainingAll("SELECT and UPDATE on holdfast_lock_token", "a privilege is missing");
            }
            Databases.run(url, "GRANT SELECT, UPDATE ON SEQUENCE holdfast_lock_token TO raising");
            provider.raiseTokens(AHEAD);
            assertThat(provider.highestToken()).isEqualTo(AHEAD);
        }
    }

    @Proves("6.7")
    @Test
    void raisedTokensOfAnH2FileLast(@TempDir Path folder) {
        String url = "jdbc:h2:file:" + folder.resolve("locks");
        try (JdbcLockProvider provider = Databases.at(url, Databases.PROPERTIES)) {
            provider.raiseTokens(AHEAD);
        }
        try (JdbcLockProvider provider = Databases.at(url)) {
            assertThat(provider.highestToken()).isEqualTo(AHEAD);
            assertThat(next(provider, "a")).isGreaterThan(AHEAD);
        }
    }

    @Test
    void missingSourceOfTheTokensIsReportedInH2() {
        String url = Databases.newH2();
        Databases.run(url, "DELETE FROM holdfast_lock_token");
        try (JdbcLockProvider provider = Databases.at(url)) {
            for (Runnable call : List.<Runnable>of(provider::highestToken, () -> provider.raiseTokens(AHEAD))) {
                assertThatThrownBy(call::run)
                        .isInstanceOf(LockStoreException.class)
                        .hasMessageContaining("the row that tokens come from is missing");
            }
        }
    }
}
