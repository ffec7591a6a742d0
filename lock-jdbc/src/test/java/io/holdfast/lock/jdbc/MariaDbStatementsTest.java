package io.holdfast.lock.jdbc;

import static io.holdfast.parts.StoreAssertions.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.jdbc.Databases.SharedMariaDb;
import io.holdfast.lock.jdbc.JdbcLockProvider.Database;
import io.holdfast.lock.jdbc.table.LockKey;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import io.holdfast.servers.MariaDbServer;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the statements for MariaDB and MySQL rely on, and what must not change their outcome. */
@NeedsMariaDb
@Tag("server")
class MariaDbStatementsTest {

    private static final int THREADS = 8;
    private static final int ROUNDS = 150;
    private static final int NAMES = 3;

    private final String name = "name-" + UUID.randomUUID();
    private final Map<Class<?>, Integer> answers = new ConcurrentHashMap<>();

    /** Session settings that change what statements mean, or how drivers count. */
    static Stream<String> settings() {
        return Stream.of(
                SharedMariaDb.URL + "&sessionVariables=sql_mode='ORACLE,EMPTY_STRING_IS_NULL'",
                SharedMariaDb.URL + "&sessionVariables=sql_mode='SIMULTANEOUS_ASSIGNMENT'",
                SharedMariaDb.URL + "&sessionVariables=sql_mode=''",
                SharedMariaDb.URL + "&sessionVariables=sql_mode='ANSI,TRADITIONAL,NO_BACKSLASH_ESCAPES'",
                SharedMariaDb.URL + "&sessionVariables=time_zone='-11:00'",
                SharedMariaDb.URL + "&useServerPrepStmts=true",
                SharedMariaDb.URL + "&useAffectedRows=true",
                SharedMariaDb.BY_MYSQL_DRIVER + "&useServerPrepStmts=true",
                SharedMariaDb.BY_MYSQL_DRIVER + "&useAffectedRows=true&rewriteBatchedStatements=true");
    }

    @Proves({"1.1", "1.3", "6.1"})
    @ParameterizedTest
    @MethodSource("settings")
    void outcomeDoesNotDependOnSessionSettings(String url) throws SQLException {
        try (JdbcLockProvider provider = Databases.at(url)) {
            TestClaim holder = TestClaim.once(provider, name);
            long token = holder.token();
            assertThat(holder.token()).isEqualTo(token);
            TestClaim rival = TestClaim.once(provider, name);
            assertThat(rival.granted()).isFalse();
            assertThat(holder.held()).isTrue();
            assertThat(provider.holder(name).orElseThrow().host()).contains(TestClaim.CLAIMANT.host());

            Databases.expire(SharedMariaDb.URL, name, Duration.ofMinutes(2));
            assertThat(holder.held()).isFalse();
            long next = rival.token();
            assertThat(next).isGreaterThan(token);
            assertThat(holder.granted()).isFalse();
            assertThat(holder.released()).isFalse();
            assertThat(rival.held()).isTrue();
            provider.records().sweep();
            assertThat(rival.released()).isTrue();
            assertThat(Databases.ask(
                            SharedMariaDb.URL, "SELECT count(*) FROM holdfast_lock WHERE name = '" + name + "'"))
                    .isEqualTo("0");
        }
    }

    @Proves("6.1")
    @Test
    void tokensKeepGrowingAfterTheTableIsEmptied() {
        try (MariaDbServer server = MariaDbServer.start();
                JdbcLockProvider provider = Databases.at(server.url(), Databases.PROPERTIES)) {
            long token = TestClaim.once(provider, name).token();
            Databases.run(server.url(), "TRUNCATE TABLE holdfast_lock");
            assertThat(TestClaim.once(provider, name).token()).isGreaterThan(token);
        }
    }

    @Test
    void refusedAttemptReportsTheRemainingLease() {
        try (JdbcLockProvider provider = Databases.at(SharedMariaDb.URL)) {
            TestClaim holder = TestClaim.once(provider, name);
            holder.token();
            assertThat(TestClaim.once(provider, name).refused().retryAfter().orElseThrow())
                    .isBetween(TestClaim.LEASE.minusSeconds(20), TestClaim.LEASE.plusMillis(1));
            holder.released();
        }
    }

    /** Like an attempt of another client, which locks the row for the time of its statement. */
    @Proves("3.6")
    @Test
    void brieflyLockedRowIsRenewedInTheNextRound() throws SQLException {
        RecordingDataSource recording = new RecordingDataSource(new TestDataSource(SharedMariaDb.URL));
        try (JdbcLockProvider provider = JdbcLockProvider.over(recording.dataSource())
                        .database(Database.MARIADB)
                        .build();
                Connection rival = Databases.connect(SharedMariaDb.URL)) {
            TestClaim met = TestClaim.once(provider, name);
            TestClaim other = TestClaim.once(provider, name + "-other");
            assertThat(met.granted() && other.granted()).isTrue();
            rival.setAutoCommit(false);
            recording.statements().clear();
            recording.beforeEach(statement ->
                    lockedFirstThenFree(rival, recording.statements().size()));
            List<Renewal> renewals = provider.renewAll(List.of(met.claim, other.claim));
            recording.beforeEach(statement -> {});
            assertThat(renewals).hasSize(2).allMatch(Renewal.Held.class::isInstance);
            // The renewal, the read, and the renewal of the locked claim only.
            assertThat(recording.statements()).hasSize(3);
            assertThat(recording.statements().get(2))
                    .hasSizeLessThan(recording.statements().get(0).length());
            assertThat(met.released() && other.released()).isTrue();
        }
    }

    @Test
    void lockedRowCostsTwelveStatements() throws SQLException {
        RecordingDataSource recording = new RecordingDataSource(new TestDataSource(SharedMariaDb.URL));
        try (JdbcLockProvider provider = JdbcLockProvider.over(recording.dataSource())
                        .database(Database.MARIADB)
                        .build();
                Connection other = Databases.connect(SharedMariaDb.URL)) {
            TestClaim holder = TestClaim.once(provider, name);
            assertThat(holder.granted()).isTrue();
            other.setAutoCommit(false);
            lockedFirstThenFree(other, 0);
            recording.statements().clear();
            assertFails(holder::held, "another transaction has locked its row");
            assertThat(recording.statements()).hasSize(12);
            other.rollback();
            assertThat(holder.released()).isTrue();
        }
    }

    static Stream<String> drivers() {
        return Stream.of(SharedMariaDb.URL, SharedMariaDb.BY_MYSQL_DRIVER)
                .flatMap(url -> Stream.of(url, url + "&useServerPrepStmts=true"));
    }

    /** Such as an administrator's, which others see before the commit. */
    @Proves("3.2")
    @ParameterizedTest
    @MethodSource("drivers")
    void uncommittedDeletionIsNoLossInAnyIsolation(String url) throws SQLException {
        String deletion = "DELETE FROM holdfast_lock WHERE name_hash = '"
                + LockKey.of(name).hash() + "'";
        TestDataSource dirty = new TestDataSource(url + "&sessionVariables=tx_isolation='READ-UNCOMMITTED'");
        try (JdbcLockProvider provider =
                        JdbcLockProvider.over(dirty).database(Database.MARIADB).build();
                Connection other = Databases.connect(SharedMariaDb.URL);
                Statement statement = other.createStatement()) {
            TestClaim holder = TestClaim.once(provider, name);
            assertThat(holder.granted()).isTrue();
            other.setAutoCommit(false);
            statement.execute(deletion);
            assertFails(holder::held, "another transaction has locked its row");
            other.rollback();
            assertThat(holder.held()).isTrue();
            statement.execute(deletion);
            other.commit();
            assertThat(holder.held()).isFalse();
        }
    }

    private void lockedFirstThenFree(Connection rival, int statements) {
        try (Statement statement = rival.createStatement()) {
            if (statements == 0) {
                statement.execute("SELECT * FROM holdfast_lock WHERE name_hash = '"
                        + LockKey.of(name).hash() + "' FOR UPDATE");
            } else {
                rival.rollback();
            }
        } catch (SQLException failure) {
            throw new AssertionError(failure);
        }
    }

    /** A data source that runs an action before it returns the n-th connection. */
    private static DataSource before(int connection, String url, Runnable action) {
        AtomicInteger connections = new AtomicInteger();
        return (DataSource) Proxy.newProxyInstance(
                DataSource.class.getClassLoader(), new Class<?>[] {DataSource.class}, (source, method, arguments) -> {
                    if (!method.getName().equals("getConnection")) {
                        return false;
                    }
                    if (connections.incrementAndGet() == connection) {
                        action.run();
                    }
                    return Databases.connect(url);
                });
    }

    /** In a separate database: the sweeps of other tests would remove the row. */
    @Proves("1.1")
    @Test
    void rowTakenDuringASweepStays() throws SQLException {
        String url = Databases.newMariaDb();
        try (JdbcLockProvider other = Databases.at(url)) {
            assertThat(TestClaim.once(other, name).granted()).isTrue();
            Databases.expire(url, name, Duration.ofMinutes(2));
            TestClaim taker = TestClaim.once(other, name);
            // The first connection finds old rows, the second one deletes them.
            DataSource source = before(2, url, () -> assertThat(taker.granted()).isTrue());
            try (JdbcLockProvider sweeping =
                    JdbcLockProvider.over(source).database(Database.MARIADB).build()) {
                sweeping.records().sweep();
            }
            assertThat(taker.held()).isTrue();
            assertThat(taker.released()).isTrue();
        }
    }

    @Test
    void concurrentClientsCauseNoError() {
        assertConcurrentClientsCauseNoError("REPEATABLE-READ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"READ-COMMITTED", "SERIALIZABLE"})
    @Tag("full")
    void concurrentClientsCauseNoErrorInAnyOtherIsolation(String isolation) {
        assertConcurrentClientsCauseNoError(isolation);
    }

    /** All operations, by many clients at once on few names: InnoDB would detect any deadlock then. */
    private void assertConcurrentClientsCauseNoError(String isolation) {
        try (MariaDbServer server = MariaDbServer.start("innodb-flush-log-at-trx-commit=0", "log-bin", "server-id=1")) {
            Databases.createTable(server.url());
            TestDataSource source = new TestDataSource(
                    server.url() + "&sessionVariables=tx_isolation='" + isolation + "',innodb_snapshot_isolation=1");
            ExecutorService threads = Executors.newFixedThreadPool(THREADS);
            try (JdbcLockProvider provider = JdbcLockProvider.over(source).build()) {
                List<CompletableFuture<Void>> runs = new ArrayList<>();
                for (int i = 0; i < THREADS; i++) {
                    runs.add(CompletableFuture.runAsync(() -> useEverything(provider), threads));
                }
                runs.forEach(CompletableFuture::join);
            } finally {
                threads.shutdownNow();
            }
            assertThat(answers.get(Renewal.Held.class))
                    .as("of all answers: " + answers)
                    .isGreaterThan(answers.values().stream()
                                    .mapToInt(Integer::intValue)
                                    .sum()
                            / 2);
            assertThat(Databases.ask(
                            server.url(),
                            "SELECT variable_value FROM information_schema.global_status"
                                    + " WHERE variable_name = 'INNODB_DEADLOCKS'"))
                    .isEqualTo("0");
            assertThat(server.log().lines().filter(line -> line.contains("[ERROR]") || line.contains("unsafe")))
                    .isEmpty();
        }
    }

    private void useEverything(LockProvider provider) {
        for (int round = 0; round < ROUNDS; round++) {
            boolean brief = round % 10 == 0;
            List<Claim> claims = new ArrayList<>();
            for (int i = 0; i < NAMES; i++) {
                TestClaim claim = TestClaim.once(provider, "name-" + i, Duration.ofMillis(brief ? 5 : 30_000));
                if (claim.granted()) {
                    claims.add(claim.claim);
                }
            }
            // A renewal may find a row locked by an attempt each time. That is no loss.
            List<Renewal> renewals = provider.renewAll(claims);
            assertThat(renewals).hasSameSizeAs(claims).noneMatch(renewal -> renewal instanceof Renewal.Lost && !brief);
            renewals.forEach(renewal -> answers.merge(renewal.getClass(), 1, Integer::sum));
            sweep(provider);
            claims.forEach(Claim::release);
        }
    }

    /**
     * It is cancelled after a second: the server may have stood still for that long, which is none of the errors that we look
     * for.
     */
    private static void sweep(LockProvider provider) {
        try {
            ((JdbcLockProvider) provider).records().sweep();
        } catch (LockStoreException late) {
            assertThat(late).hasMessageMatching("(?s).*(took too long and was cancelled|did not answer in time).*");
        }
    }
}
