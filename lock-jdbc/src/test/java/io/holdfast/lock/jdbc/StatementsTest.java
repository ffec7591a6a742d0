package io.holdfast.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.lock.LockCapabilities.WakeUp;
import io.holdfast.lock.jdbc.table.DatabaseFailures;
import io.holdfast.lock.jdbc.table.LockKey;
import io.holdfast.lock.jdbc.table.LockTable;
import io.holdfast.lock.jdbc.table.SqlDialect;
import io.holdfast.lock.jdbc.table.Sweeper;
import io.holdfast.lock.jdbc.table.Timeouts;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import io.holdfast.parts.Waits;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The statements of each operation, and what is left in the table. */
@Tag("server")
class StatementsTest {

    private static final int CLAIMS = 200;

    private RecordingDataSource recording;
    private HikariDataSource pool;

    @AfterEach
    void closePool() {
        pool.close();
    }

    /** A provider that never sweeps. */
    private JdbcLockProvider provider(String url) {
        return provider(url, new Sweeper(Integer.MAX_VALUE));
    }

    private JdbcLockProvider provider(String url, Sweeper sweeper) {
        pool = new HikariDataSource();
        pool.setJdbcUrl(url);
        recording = new RecordingDataSource(pool);
        JdbcOptions options = new JdbcOptions(
                SqlDialect.of(JdbcUrl.of(url).product()), LockTable.of(LockTable.DEFAULT), false, WakeUp.POLL, sweeper);
        Connections connections = new Connections(
                Lender.ofGiven(recording.dataSource(), Timeouts.USUAL),
                KeptConnection.ofOne(),
                options.dialect(),
                new DatabaseFailures("test", List.of()),
                Timeouts.USUAL);
        return new JdbcLockProvider(connections, recording.dataSource()::getConnection, options);
    }

    private int newStatements() {
        int count = recording.statements().size();
        recording.statements().clear();
        return count;
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#all")
    void releaseSweepsOnTheConnectionThatItHas(String url) throws SQLException {
        try (JdbcLockProvider provider = provider(url, new Sweeper(1))) {
            pool.setMaximumPoolSize(2);
            TestClaim holder = TestClaim.once(provider, "name-" + UUID.randomUUID());
            assertThat(holder.granted()).isTrue();
            try (Connection others = pool.getConnection()) {
                CompletableFuture<Connection> waiting = CompletableFuture.supplyAsync(() -> {
                    try {
                        return pool.getConnection();
                    } catch (SQLException failure) {
                        throw new IllegalStateException(failure);
                    }
                });
                Waits.soon().until(() -> pool.getHikariPoolMXBean().getThreadsAwaitingConnection() == 1);
                assertThat(others.isValid(1)).isTrue();
                recording.statements().clear();
                assertThat(holder.released()).isTrue();
                assertThat(newStatements()).isGreaterThan(1);
                waiting.join().close();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#all")
    void acquireRenewAndReleaseAreOneStatementEach(String url) {
        String name = "name-" + UUID.randomUUID();
        try (JdbcLockProvider provider = provider(url)) {
            TestClaim holder = TestClaim.once(provider, name);
            assertThat(holder.granted()).isTrue();
            assertThat(newStatements()).isEqualTo(1);
            assertThat(TestClaim.once(provider, name).granted()).isFalse();
            assertThat(newStatements()).isEqualTo(1);
            assertThat(holder.held()).isTrue();
            assertThat(newStatements()).isEqualTo(1);
            assertThat(holder.released()).isTrue();
            assertThat(newStatements()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#all")
    void refusedAttemptIsReleasedWithoutAStatement(String url) {
        String name = "name-" + UUID.randomUUID();
        try (JdbcLockProvider provider = provider(url)) {
            TestClaim.once(provider, name).granted();
            TestClaim refused = TestClaim.once(provider, name);
            refused.refused();
            newStatements();
            assertThat(refused.released()).isFalse();
            assertThat(newStatements()).isZero();
        }
    }

    private static List<Claim> granted(JdbcLockProvider provider) {
        String prefix = "name-" + UUID.randomUUID() + "-";
        List<Claim> claims = new ArrayList<>();
        for (int i = 0; i < CLAIMS; i++) {
            TestClaim claim = TestClaim.once(provider, prefix + i);
            assertThat(claim.granted()).isTrue();
            claims.add(claim.claim);
        }
        return claims;
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#all")
    void oneStatementRenewsAllClaims(String url) {
        try (JdbcLockProvider provider = provider(url)) {
            List<Claim> claims = granted(provider);
            newStatements();
            assertThat(provider.renewAll(claims)).hasSize(CLAIMS).allMatch(Renewal.Held.class::isInstance);
            assertThat(newStatements()).isEqualTo(1);
            claims.forEach(Claim::release);
        }
    }

    /** One call for each lost claim would take longer than the leases of the others last. */
    @Proves("3.6")
    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#all")
    void oneMoreStatementFindsAllLostClaims(String url) {
        try (JdbcLockProvider provider = provider(url)) {
            List<Claim> claims = granted(provider);
            for (int i = 0; i < CLAIMS; i += 2) {
                claims.get(i).release();
            }
            newStatements();
            List<Renewal> renewals = provider.renewAll(claims);
            assertThat(newStatements()).isEqualTo(onlyCounts(url) ? 2 : 1);
            assertThat(renewals).hasSize(CLAIMS);
            for (int i = 0; i < CLAIMS; i++) {
                assertThat(renewals.get(i)).isInstanceOf(i % 2 == 0 ? Renewal.Lost.class : Renewal.Held.class);
            }
            claims.forEach(Claim::release);
            newStatements();
            assertThat(provider.renewAll(claims)).hasSize(CLAIMS).allMatch(Renewal.Lost.class::isInstance);
            assertThat(newStatements()).isEqualTo(onlyCounts(url) ? 2 : 1);
        }
    }

    private static boolean onlyCounts(String url) {
        return url.startsWith("jdbc:mariadb:");
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#all")
    void releasedLockLeavesNoRow(String url) {
        String name = "name-" + UUID.randomUUID();
        String count = "SELECT count(*) FROM holdfast_lock WHERE name = '" + name + "'";
        try (JdbcLockProvider provider = provider(url)) {
            TestClaim holder = TestClaim.once(provider, name);
            holder.granted();
            assertThat(Databases.ask(url, count)).isEqualTo("1");
            holder.released();
            assertThat(Databases.ask(url, count)).isEqualTo("0");
        }
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#all")
    void sweepRemovesLongExpiredRows(String url) throws SQLException {
        String old = "name-" + UUID.randomUUID();
        String held = "name-" + UUID.randomUUID();
        String recent = "name-" + UUID.randomUUID();
        try (JdbcLockProvider provider = provider(url)) {
            for (String name : List.of(old, held, recent)) {
                TestClaim.once(provider, name).granted();
            }
            Databases.expire(url, old, Duration.ofMinutes(2));
            Databases.expire(url, recent, Duration.ZERO);
            provider.records().sweep();
            String names = Databases.ask(url, "SELECT count(*) FROM holdfast_lock WHERE name IN ('" + old + "')")
                    + Databases.ask(
                            url, "SELECT count(*) FROM holdfast_lock WHERE name IN ('" + held + "', '" + recent + "')");
            assertThat(names).isEqualTo("02");
        }
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#all")
    void releaseSweepsSometimesAndBriefly(String url) {
        String name = "name-" + UUID.randomUUID();
        String old = "name-" + UUID.randomUUID();
        try (JdbcLockProvider provider = provider(url, new Sweeper(1))) {
            TestClaim holder = TestClaim.once(provider, name);
            TestClaim lost = TestClaim.once(provider, old);
            assertThat(holder.granted() && lost.granted()).isTrue();
            Databases.expire(url, old, Duration.ofMinutes(2));
            newStatements();
            recording.limits().clear();
            assertThat(holder.released()).isTrue();
            assertThat(newStatements()).isGreaterThan(1);
            assertThat(Databases.ask(url, "SELECT count(*) FROM holdfast_lock WHERE name = '" + old + "'"))
                    .isEqualTo("0");
            assertThat(lost.released()).isFalse();
            if (!url.startsWith("jdbc:postgresql:")) {
                // Its driver keeps no limit.
                assertThat(recording.limits()).contains(1);
            }
            assertThat(recording.limits())
                    .as("of the connection that is given back")
                    .endsWith(0);
        }
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#all")
    void everyWriteChangesTheVersion(String url) {
        String name = "name-" + UUID.randomUUID();
        try (JdbcLockProvider provider = provider(url)) {
            List<String> versions = new ArrayList<>();
            TestClaim first = TestClaim.once(provider, name);
            first.granted();
            versions.add(version(url, name));
            first.granted();
            versions.add(version(url, name));
            first.held();
            versions.add(version(url, name));
            Databases.expire(url, name, Duration.ofSeconds(1));
            TestClaim second = TestClaim.once(provider, name);
            second.granted();
            versions.add(version(url, name));
            second.released();
            second.granted();
            versions.add(version(url, name));
            second.released();
            assertThat(versions)
                    .doesNotHaveDuplicates()
                    .allSatisfy(version -> assertThat(Long.parseLong(version)).isGreaterThanOrEqualTo(0));
        }
    }

    /** Longer than any lease: the remaining time must not overflow. */
    @Proves("1.1")
    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#all")
    void lockParkedForCenturiesIsGrantedToNobody(String url) {
        String name = "name-" + UUID.randomUUID();
        try (JdbcLockProvider provider = provider(url)) {
            assertThat(TestClaim.once(provider, name).granted()).isTrue();
            Databases.run(
                    url,
                    "UPDATE holdfast_lock SET expires_at = TIMESTAMP '9998-12-31 00:00:00' WHERE name_hash = '"
                            + LockKey.of(name).hash() + "'");
            assertThat(TestClaim.once(provider, name).granted()).isFalse();
            assertThat(TestClaim.waiting(provider, name).granted()).isFalse();
        }
    }

    private static String version(String url, String name) {
        return Databases.ask(url, "SELECT version FROM holdfast_lock WHERE name = '" + name + "'");
    }
}
