package io.holdfast.lock.jdbc;

import static io.holdfast.parts.StoreAssertions.assertFails;
import static io.holdfast.parts.StoreAssertions.assertWorksAgain;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.jdbc.table.LockKey;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import io.holdfast.parts.Waits;
import io.holdfast.servers.DatabaseServer;
import io.holdfast.servers.PostgreSqlServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** A PostgreSQL server in trouble. */
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("server of PostgreSqlFaultsTest")
class PostgreSqlFaultsTest extends FaultsScene {

    private static PostgreSqlServer server;

    @BeforeAll
    static void start() {
        // What was written is the kernel's by then, and outlives a process that is killed.
        server = PostgreSqlServer.start("fsync=off");
        Databases.createTable(server.url());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    DatabaseServer server() {
        return server;
    }

    @Override
    String[] lockingTheRow() {
        return new String[] {
            // So the attempt detects the deadlock, and is ended.
            "SET deadlock_timeout = '60s'", "UPDATE holdfast_lock SET pid = pid WHERE name = '" + name + "'"
        };
    }

    @Override
    String blocked() {
        return "SELECT pid FROM pg_stat_activity WHERE application_name = 'holdfast' AND wait_event_type = 'Lock'";
    }

    @Override
    String killing(String connection) {
        return "SELECT pg_terminate_backend(" + connection + ")";
    }

    /**
     * The server looks for a deadlock only once, a second after the attempt began to wait for the row. So the other transaction
     * waits for the attempt's lock before that: behind the attempt, and both behind a third transaction.
     */
    @Test
    void deadlockIsReported() throws SQLException {
        leaveAnExpiredRow();
        String lockingTheName = "SELECT pg_advisory_xact_lock(" + LockKey.ADVISORY_CLASS + ", "
                + LockKey.of(name).advisoryId() + ")";
        try (JdbcLockProvider provider = provider("");
                Connection third = Databases.connect(server.url());
                Connection other = Databases.connect(server.url())) {
            third.setAutoCommit(false);
            other.setAutoCommit(false);
            run(third, lockingTheName);
            CompletableFuture<Boolean> attempt = attempt(provider);
            awaitBlocked();
            FenceRaces.Waiting waiting = FenceRaces.waiting(server.url(), other, () -> {
                run(other, lockingTheRow());
                run(other, lockingTheName);
            });
            waiting.requireBlocked();
            third.rollback();
            assertDeadlock(attempt);
            waiting.requireDone();
            other.rollback();
            assertWorksAgain(provider, name);
        }
    }

    @Test
    void serializationFailureIsReported() throws SQLException {
        leaveAnExpiredRow();
        TestDataSource strict = new TestDataSource(server.url() + "&ApplicationName=holdfast"
                + "&options=-c%20default_transaction_isolation=repeatable%5C%20read");
        try (JdbcLockProvider provider = JdbcLockProvider.over(strict)
                        .timeout(Duration.ofSeconds(15))
                        .build();
                Connection other = lockedRow()) {
            CompletableFuture<Boolean> attempt = attempt(provider);
            awaitBlocked();
            other.commit();
            assertThat(Waits.failure(attempt))
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("could not serialize it with what ran at the same time");
            assertWorksAgain(provider, name);
        }
    }

    @Test
    void ownPoolHasNoSerializationFailures() throws SQLException {
        leaveAnExpiredRow();
        try (JdbcLockProvider provider = provider("&options=-c%20default_transaction_isolation=repeatable%5C%20read");
                Connection other = lockedRow()) {
            CompletableFuture<Boolean> attempt = attempt(provider);
            awaitBlocked();
            other.commit();
            assertThat(attempt.join()).isTrue();
        }
    }

    @Test
    void serversStatementTimeoutIsReported() throws SQLException {
        leaveAnExpiredRow();
        try (JdbcLockProvider provider = provider("&options=-c%20statement_timeout=1000");
                Connection other = lockedRow()) {
            assertFails(TestClaim.once(provider, name)::granted, TOOK_TOO_LONG);
            other.rollback();
            assertWorksAgain(provider, name);
        }
    }

    /** After a switchover that leaves connections open, they lead to a server that stays read-only. */
    @Proves("9.5")
    @Test
    void readOnlyConnectionIsNotLentAgain() {
        String url = Databases.newPostgreSql();
        String setting = "ALTER DATABASE " + Databases.ask(url, "SELECT current_database()")
                + " SET default_transaction_read_only = ";
        Databases.run(Databases.SharedPostgreSql.URL, setting + "on");
        try (JdbcLockProvider provider = Databases.at(url)) {
            assertFails(TestClaim.once(provider, name)::granted, "the database is read-only");
            // Applies to new connections only.
            Databases.run(Databases.SharedPostgreSql.URL, setting + "off");
            assertWorksAgain(provider, name);
        }
    }

    @Proves("6.3")
    @Test
    void grantSurvivesACrashDespiteLazyCommits() {
        try (PostgreSqlServer lazy = PostgreSqlServer.start("synchronous_commit=off", "wal_writer_delay=10s")) {
            Databases.createTable(lazy.url());
            try (JdbcLockProvider provider = Databases.at(lazy.url())) {
                // A lease that is longer than a restart, also on a slow machine.
                TestClaim holder = TestClaim.once(provider, name, Duration.ofMinutes(2));
                long token = holder.token();
                lazy.restart();
                Waits.answered().until(() -> holder.claim.renew() != null);
                assertThat(holder.held()).isTrue();
                assertThat(holder.token()).isEqualTo(token);
            }
        }
    }

    /** Otherwise the lease would end before its holder expects. */
    @Proves("2.2")
    @Test
    @Tag("full")
    void renewalSurvivesACrashDespiteLazyCommits() {
        try (PostgreSqlServer lazy = PostgreSqlServer.start("synchronous_commit=off", "wal_writer_delay=10s")) {
            Databases.createTable(lazy.url());
            try (JdbcLockProvider provider = Databases.at(lazy.url())) {
                TestClaim holder = TestClaim.once(provider, name);
                assertThat(holder.granted()).isTrue();
                String version = "SELECT version FROM holdfast_lock WHERE name = '" + name + "'";
                long granted = Long.parseLong(Databases.ask(lazy.url(), version));
                assertThat(holder.held()).isTrue();
                lazy.restart();
                assertThat(Databases.ask(lazy.url(), version)).isEqualTo(Long.toString(granted + 1));
            }
        }
    }

    @Test
    void contentionLogsNoErrorInTheServer() {
        try (JdbcLockProvider provider = provider("")) {
            TestClaim holder = TestClaim.once(provider, name);
            assertThat(holder.granted()).isTrue();
            TestClaim rival = TestClaim.waiting(provider, name);
            assertThat(rival.granted()).isFalse();
            holder.released();
            assertThat(rival.granted()).isTrue();
            rival.released();
        }
        assertThat(server.log().lines().filter(line -> line.contains(name) && line.contains("ERROR:")))
                .isEmpty();
        assertThat(server.log()).contains("WITH attempt AS").doesNotContain("duplicate key");
    }
}
