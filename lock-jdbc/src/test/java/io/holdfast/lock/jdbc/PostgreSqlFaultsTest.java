package io.holdfast.lock.jdbc;

import static io.holdfast.parts.StoreAssertions.assertWorksAgain;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.jdbc.table.LockKey;
import io.holdfast.parts.Bidder;
import io.holdfast.parts.Proves;
import io.holdfast.parts.Waits;
import io.holdfast.servers.PostgreSqlServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What a database in trouble does to the calls, and that all is well again afterwards. */
class FaultsTest {

    private static PostgreSqlServer server;

    private final String name = "name-" + UUID.randomUUID();
    private final ExecutorService thread = Executors.newSingleThreadExecutor();

    @BeforeAll
    static void start() {
        server = PostgreSqlServer.start();
        Databases.createTable(server.url());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @AfterEach
    void end() {
        thread.shutdownNow();
    }

    private JdbcLockProvider provider(String setting) {
        return Databases.at(server.url() + setting, Map.of("timeout", "5s"));
    }

    /** Leaves a row that nobody holds any more. */
    private void leaveAnExpiredRow() {
        try (JdbcLockProvider provider = provider("")) {
            assertThat(Bidder.once(provider, name).granted()).isTrue();
        }
        Databases.run(
                server.url(),
                "UPDATE holdfast_lock SET expires_at = clock_timestamp() - interval '1 second' WHERE name = '" + name
                        + "'");
    }

    /** A transaction of somebody else that has the row. */
    private Connection rowTaken(Statement[] opened) throws SQLException {
        Connection other = Databases.connect(server.url());
        other.setAutoCommit(false);
        opened[0] = other.createStatement();
        opened[0].execute("SET deadlock_timeout = '60s'");
        opened[0].execute("UPDATE holdfast_lock SET pid = pid WHERE name = '" + name + "'");
        return other;
    }

    private void awaitBlocked() {
        Waits.soon()
                .until(() -> !Databases.ask(
                                server.url(),
                                "SELECT 1 FROM pg_stat_activity WHERE application_name = 'holdfast' AND wait_event_type = 'Lock'")
                        .isEmpty());
    }

    @Test
    void aDeadlockIsNamed() throws SQLException {
        leaveAnExpiredRow();
        Statement[] statement = new Statement[1];
        try (JdbcLockProvider provider = provider("");
                Connection other = rowTaken(statement)) {
            CompletableFuture<Boolean> bid =
                    CompletableFuture.supplyAsync(Bidder.once(provider, name)::granted, thread);
            awaitBlocked();
            statement[0].execute("SELECT pg_advisory_xact_lock(" + LockKey.TURNS + ", "
                    + LockKey.of(name).turn() + ")");
            assertThat(Waits.failure(bid))
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("acquire of lock '" + name + "'")
                    .hasMessageContaining("deadlock");
            other.rollback();
            assertWorksAgain(provider, name);
        }
    }

    @Test
    void aSerializationFailureIsNamed() throws SQLException {
        leaveAnExpiredRow();
        Statement[] statement = new Statement[1];
        TestDataSource strict = new TestDataSource(server.url() + "&ApplicationName=holdfast"
                + "&options=-c%20default_transaction_isolation=repeatable%5C%20read");
        try (JdbcLockProvider provider = JdbcLockProvider.over(strict).build();
                Connection other = rowTaken(statement)) {
            CompletableFuture<Boolean> bid =
                    CompletableFuture.supplyAsync(Bidder.once(provider, name)::granted, thread);
            awaitBlocked();
            other.commit();
            assertThat(Waits.failure(bid))
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("could not serialize it with what ran at the same time");
            assertWorksAgain(provider, name);
        }
    }

    @Test
    void anOwnPoolDoesNotFailToSerialize() throws SQLException {
        leaveAnExpiredRow();
        Statement[] statement = new Statement[1];
        try (JdbcLockProvider provider = provider("&options=-c%20default_transaction_isolation=repeatable%5C%20read");
                Connection other = rowTaken(statement)) {
            CompletableFuture<Boolean> bid =
                    CompletableFuture.supplyAsync(Bidder.once(provider, name)::granted, thread);
            awaitBlocked();
            other.commit();
            assertThat(bid.join()).isTrue();
        }
    }

    @Test
    void theServersStatementTimeoutIsNamed() throws SQLException {
        leaveAnExpiredRow();
        try (JdbcLockProvider provider = provider("&options=-c%20statement_timeout=300");
                Connection other = rowTaken(new Statement[1])) {
            assertThatThrownBy(Bidder.once(provider, name)::granted)
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("it took too long and was cancelled");
            other.rollback();
            assertWorksAgain(provider, name);
        }
    }

    @Test
    void ourOwnTimeoutCancelsTheStatementInTheServer() throws SQLException {
        leaveAnExpiredRow();
        try (JdbcLockProvider provider = Databases.at(server.url(), "timeout", "1s");
                Connection other = rowTaken(new Statement[1])) {
            assertThatThrownBy(Bidder.once(provider, name)::granted)
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("it took too long and was cancelled");
            other.rollback();
            assertWorksAgain(provider, name);
        }
    }

    @Test
    void aKilledConnectionIsNamed() throws SQLException {
        leaveAnExpiredRow();
        try (JdbcLockProvider provider = provider("");
                Connection other = rowTaken(new Statement[1])) {
            CompletableFuture<Boolean> bid =
                    CompletableFuture.supplyAsync(Bidder.once(provider, name)::granted, thread);
            awaitBlocked();
            Databases.run(
                    server.url(),
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'holdfast'");
            assertThat(Waits.failure(bid))
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("ended the connection");
            other.rollback();
            assertWorksAgain(provider, name);
        }
    }

    @Test
    void anExhaustedPoolIsNamed() throws SQLException {
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setJdbcUrl(server.url());
            pool.setMaximumPoolSize(1);
            pool.setConnectionTimeout(250);
            try (JdbcLockProvider provider = JdbcLockProvider.over(pool).build()) {
                try (Connection taken = pool.getConnection()) {
                    assertThat(taken.isClosed()).isFalse();
                    assertThatThrownBy(Bidder.once(provider, name)::granted)
                            .isInstanceOf(LockStoreException.class)
                            .hasMessageContaining("the pool has no free connection");
                }
                assertWorksAgain(provider, name);
            }
            assertThat(pool.isClosed()).isFalse();
        }
    }

    @Proves("9.5")
    @Test
    void aPausedServerFailsTheCallInTime() {
        try (JdbcLockProvider provider = Databases.at(server.url(), "timeout", "1s", "connectTimeout", "1s")) {
            assertWorksAgain(provider, name);
            // A bid that the server reads when it goes on is granted after all; the engine releases such a claim.
            Bidder bidder = Bidder.once(provider, "paused-" + name);
            long before = System.nanoTime();
            server.pause();
            try {
                assertThatThrownBy(bidder::granted).isInstanceOf(LockStoreException.class);
            } finally {
                server.resume();
            }
            // The time-outs of the statement and of its cancellation, and a slow machine. The driver's own time-out of
            // a
            // cancellation would be ten seconds more.
            assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(9));
            assertWorksAgain(provider, name);
        }
    }

    @Proves({"6.3", "9.5"})
    @Test
    void locksAndTokensSurviveACrashOfTheServer() {
        try (JdbcLockProvider provider = provider("")) {
            Bidder holder = Bidder.once(provider, name);
            long token = holder.token();
            server.kill();
            assertThatThrownBy(holder::held).isInstanceOf(LockStoreException.class);
            server.restart();
            Waits.answered().until(holder::held);
            Bidder rival = Bidder.once(provider, name);
            assertThat(rival.granted()).isFalse();
            assertThat(holder.released()).isTrue();
            assertThat(rival.token()).isGreaterThan(token);
            rival.released();
        }
    }

    @Proves("6.3")
    @Test
    void aGrantSurvivesACrashAlsoWhereCommitsAreLazy() {
        try (PostgreSqlServer lazy = PostgreSqlServer.start("synchronous_commit=off", "wal_writer_delay=10s")) {
            Databases.createTable(lazy.url());
            try (JdbcLockProvider provider = Databases.at(lazy.url())) {
                Bidder holder = Bidder.once(provider, name);
                long token = holder.token();
                lazy.restart();
                Waits.answered().until(() -> holder.claim.renew() != null);
                assertThat(holder.held()).isTrue();
                assertThat(holder.token()).isEqualTo(token);
            }
        }
    }

    /** Or else the lease would end before its holder believes that. */
    @Proves("2.2")
    @Test
    void aRenewalSurvivesACrashAlsoWhereCommitsAreLazy() {
        try (PostgreSqlServer lazy = PostgreSqlServer.start("synchronous_commit=off", "wal_writer_delay=10s")) {
            Databases.createTable(lazy.url());
            try (JdbcLockProvider provider = Databases.at(lazy.url())) {
                Bidder holder = Bidder.once(provider, name);
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
    void contentionLeavesNoErrorInTheServersLog() {
        try (JdbcLockProvider provider = provider("")) {
            Bidder holder = Bidder.once(provider, name);
            assertThat(holder.granted()).isTrue();
            Bidder rival = Bidder.waiting(provider, name);
            assertThat(rival.granted()).isFalse();
            holder.released();
            assertThat(rival.granted()).isTrue();
            rival.released();
        }
        assertThat(server.log().lines().filter(line -> line.contains(name) && line.contains("ERROR:")))
                .isEmpty();
        assertThat(server.log()).contains("WITH bid AS").doesNotContain("duplicate key");
    }

    @Test
    void aMissingTableIsNamed() {
        try (JdbcLockProvider provider = Databases.at(server.url(), "table", "not_there")) {
            assertThatThrownBy(Bidder.once(provider, name)::granted)
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("not_there")
                    .hasMessageContaining("createTable");
        }
    }
}
