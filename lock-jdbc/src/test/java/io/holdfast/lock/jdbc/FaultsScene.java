package io.holdfast.lock.jdbc;

import static io.holdfast.parts.StoreAssertions.assertFails;
import static io.holdfast.parts.StoreAssertions.assertWorksAgain;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.lock.LockStoreException;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import io.holdfast.parts.Waits;
import io.holdfast.servers.DatabaseServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Calls to a database server in trouble, and that they work again afterwards: the same for each server. */
@Tag("server")
abstract class FaultsScene {

    static final String TOOK_TOO_LONG = "it took too long and was cancelled";

    final String name = "name-" + UUID.randomUUID();
    private final ExecutorService thread = Executors.newSingleThreadExecutor();

    @AfterEach
    void end() {
        thread.shutdownNow();
    }

    abstract DatabaseServer server();

    /** Statements by which another transaction locks the row of the lock. */
    abstract String[] lockingTheRow();

    /** Query for the connection of the one attempt that waits for a row; no row before it waits. */
    abstract String blocked();

    /** Statement that ends a connection. */
    abstract String killing(String connection);

    /** A provider that waits longer than the test takes to act on a blocked attempt. */
    final JdbcLockProvider provider(String setting) {
        return Databases.at(server().url() + setting, "timeout", "15s");
    }

    /** Leaves a row whose lease has ended. */
    final void leaveAnExpiredRow() {
        try (JdbcLockProvider provider = provider("")) {
            assertThat(TestClaim.once(provider, name).granted()).isTrue();
        }
        Databases.expire(server().url(), name, Duration.ofSeconds(1));
    }

    final Connection lockedRow() throws SQLException {
        Connection other = Databases.connect(server().url());
        other.setAutoCommit(false);
        run(other, lockingTheRow());
        return other;
    }

    static void run(Connection connection, String... statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String each : statements) {
                statement.execute(each);
            }
        }
    }

    final CompletableFuture<Boolean> attempt(JdbcLockProvider provider) {
        return CompletableFuture.supplyAsync(TestClaim.once(provider, name)::granted, thread);
    }

    final void awaitBlocked() {
        Waits.soon().until(() -> !Databases.ask(server().url(), blocked()).isEmpty());
    }

    final void assertDeadlock(CompletableFuture<Boolean> attempt) {
        assertThat(Waits.failure(attempt))
                .isInstanceOf(LockStoreException.class)
                .hasMessageContainingAll("acquire of lock '" + name + "'", "resolve a deadlock");
    }

    @Test
    void timeoutCancelsTheStatementInTheServer() throws SQLException {
        leaveAnExpiredRow();
        RecordingDataSource source = new RecordingDataSource(new TestDataSource(server().url()));
        // Otherwise a cancellation that comes a second late on a slow machine is not waited for.
        source.ignoreSilence();
        try (JdbcLockProvider provider = JdbcLockProvider.over(source.dataSource())
                        .timeout(Duration.ofSeconds(1))
                        .build();
                Connection other = lockedRow()) {
            assertThat(Waits.failure(attempt(provider)))
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining(TOOK_TOO_LONG);
            other.rollback();
            assertWorksAgain(provider, name);
        }
    }

    @Test
    void killedConnectionIsReported() throws SQLException {
        leaveAnExpiredRow();
        try (JdbcLockProvider provider = provider("");
                Connection other = lockedRow()) {
            CompletableFuture<Boolean> attempt = attempt(provider);
            awaitBlocked();
            Databases.run(server().url(), killing(Databases.ask(server().url(), blocked())));
            assertThat(Waits.failure(attempt))
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageMatching("(?s).* failed: .*(ended the connection|connection was lost).*");
            other.rollback();
            assertWorksAgain(provider, name);
        }
    }

    @Test
    void exhaustedPoolIsReported() throws SQLException {
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setJdbcUrl(Databases.patient(server().url()));
            pool.setMaximumPoolSize(1);
            pool.setConnectionTimeout(250);
            try (JdbcLockProvider provider = JdbcLockProvider.over(pool).build()) {
                try (Connection taken = pool.getConnection()) {
                    assertThat(taken.isClosed()).isFalse();
                    assertFails(TestClaim.once(provider, name)::granted, "the pool has no free connection");
                }
                assertWorksAgain(provider, name);
            }
            assertThat(pool.isClosed()).isFalse();
        }
    }

    @Test
    void missingTableIsReported() {
        try (JdbcLockProvider provider = Databases.at(server().url(), "table", "not_there")) {
            assertFails(TestClaim.once(provider, name)::granted, "not_there", "createTable");
        }
    }

    @Proves("9.5")
    @Test
    void pausedServerFailsTheCallInTime() {
        try (JdbcLockProvider provider = Databases.at(server().url(), "timeout", "1s", "connectTimeout", "1s")) {
            // The time-outs of the statement and of its cancellation, on a slow machine. PostgreSQL's driver would
            // allow ten seconds more for the cancellation.
            DatabaseOutages.assertPauseFailsTheCall(provider, server(), name, Duration.ofSeconds(9));
        }
    }

    @Proves({"1.6", "7.1", "9.5"})
    @Test
    void waiterBehindAnotherFailsWhileTheServerIsPaused() throws InterruptedException {
        try (JdbcLockProvider other = provider("");
                JdbcLockProvider provider = Databases.at(server().url(), "timeout", "1s", "connectTimeout", "1s")) {
            DatabaseOutages.assertWaitersFailWhile(DatabaseOutages.pause(server()), provider, other, name);
        }
    }

    @Proves({"6.3", "9.5"})
    @Test
    void locksAndTokensSurviveServerCrash() {
        try (JdbcLockProvider provider = provider("")) {
            DatabaseOutages.assertLocksAndTokensSurviveCrash(provider, server(), name);
        }
    }
}
