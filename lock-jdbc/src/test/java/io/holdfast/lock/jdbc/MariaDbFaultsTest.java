package io.holdfast.lock.jdbc;

import static io.holdfast.parts.StoreAssertions.assertWorksAgain;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.jdbc.table.LockKey;
import io.holdfast.parts.Bidder;
import io.holdfast.parts.Proves;
import io.holdfast.parts.Waits;
import io.holdfast.servers.MariaDbServer;
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

/** What a MariaDB server in trouble does to the calls, and that all is well again afterwards. */
@NeedsMariaDb
class MariaDbFaultsTest {

    private static MariaDbServer server;

    private final String name = "name-" + UUID.randomUUID();
    private final ExecutorService thread = Executors.newSingleThreadExecutor();

    @BeforeAll
    static void start() {
        server = MariaDbServer.start("log-bin", "server-id=1");
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

    private void leaveAnExpiredRow() {
        try (JdbcLockProvider provider = Databases.at(server.url())) {
            assertThat(Bidder.once(provider, name).granted()).isTrue();
        }
        Databases.expire(server.url(), name, Duration.ofSeconds(1));
    }

    /** A transaction of somebody else that has the row, and has done more than a bid has: so the bid is the one that is ended. */
    private Connection rowTaken() throws SQLException {
        Connection other = Databases.connect(server.url());
        other.setAutoCommit(false);
        try (Statement statement = other.createStatement()) {
            statement.execute("CREATE TEMPORARY TABLE work (n INT PRIMARY KEY) ENGINE = InnoDB");
            statement.execute("INSERT INTO work (n) SELECT seq FROM seq_1_to_1000");
            // By the key: other conditions lock all rows.
            statement.execute("UPDATE holdfast_lock SET pid = pid + 1 WHERE name_hash = '"
                    + LockKey.of(name).hash() + "'");
        }
        return other;
    }

    private static void awaitBlocked() {
        Waits.soon()
                .until(() -> Databases.ask(
                                server.url(),
                                "SELECT variable_value FROM information_schema.global_status"
                                        + " WHERE variable_name = 'INNODB_ROW_LOCK_CURRENT_WAITS'")
                        .equals("1"));
    }

    private CompletableFuture<Boolean> bid(JdbcLockProvider provider) {
        return CompletableFuture.supplyAsync(Bidder.once(provider, name)::granted, thread);
    }

    @Test
    void aDeadlockIsNamed() throws SQLException {
        leaveAnExpiredRow();
        try (JdbcLockProvider provider = Databases.at(server.url());
                Connection other = rowTaken();
                Statement statement = other.createStatement()) {
            CompletableFuture<Boolean> bid = bid(provider);
            awaitBlocked();
            statement.execute("SELECT token FROM holdfast_lock WHERE name_hash = '"
                    + LockKey.of(name).counter() + "' FOR UPDATE");
            assertThat(Waits.failure(bid))
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("acquire of lock '" + name + "'")
                    .hasMessageContaining("resolve a deadlock");
            other.rollback();
            assertWorksAgain(provider, name);
        }
    }

    @Test
    void ourOwnTimeoutCancelsTheStatementInTheServer() throws SQLException {
        leaveAnExpiredRow();
        try (JdbcLockProvider provider = Databases.at(server.url(), "timeout", "1s");
                Connection other = rowTaken()) {
            assertThatThrownBy(Bidder.once(provider, name)::granted)
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("it took too long and was cancelled");
            other.rollback();
            assertWorksAgain(provider, name);
        }
    }

    @Test
    void theServersLockWaitTimeoutIsNamed() throws SQLException {
        leaveAnExpiredRow();
        try (JdbcLockProvider provider = Databases.at(server.url() + "&sessionVariables=innodb_lock_wait_timeout=1");
                Connection other = rowTaken()) {
            assertThatThrownBy(Bidder.once(provider, name)::granted)
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("a row was locked for too long");
            other.rollback();
            assertWorksAgain(provider, name);
        }
    }

    @Test
    void aKilledConnectionIsNamed() throws SQLException {
        leaveAnExpiredRow();
        try (JdbcLockProvider provider = Databases.at(server.url());
                Connection other = rowTaken()) {
            CompletableFuture<Boolean> bid = bid(provider);
            awaitBlocked();
            Databases.run(
                    server.url(),
                    "KILL CONNECTION "
                            + Databases.ask(
                                    server.url(),
                                    "SELECT id FROM information_schema.processlist"
                                            + " WHERE info LIKE '%INSERT INTO holdfast_lock%' AND id <> CONNECTION_ID()"));
            assertThat(Waits.failure(bid))
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("connection");
            other.rollback();
            assertWorksAgain(provider, name);
        }
    }

    @Test
    void aServerThatIsReadOnlyIsNamed() {
        Databases.run(
                server.url(),
                "CREATE USER writer@'%'",
                "GRANT SELECT, INSERT, UPDATE, DELETE ON holdfast_lock TO writer@'%'",
                "SET GLOBAL read_only = 1");
        try (JdbcLockProvider provider = Databases.at(server.url().replace("user=root", "user=writer"))) {
            assertThatThrownBy(Bidder.once(provider, name)::granted)
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("the database is read-only");
            Databases.run(server.url(), "SET GLOBAL read_only = 0");
            assertWorksAgain(provider, name);
        }
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

    @Proves("9.5")
    @Test
    void aPausedServerFailsTheCallInTime() {
        try (JdbcLockProvider provider = Databases.at(server.url(), "timeout", "1s", "connectTimeout", "1s")) {
            assertWorksAgain(provider, name);
            Bidder bidder = Bidder.once(provider, "paused-" + name);
            long before = System.nanoTime();
            server.pause();
            try {
                assertThatThrownBy(bidder::granted).isInstanceOf(LockStoreException.class);
            } finally {
                server.resume();
            }
            assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Waits.FAULT_BOUND);
            assertWorksAgain(provider, name);
        }
    }

    @Proves({"6.3", "9.5"})
    @Test
    void locksAndTokensSurviveACrashOfTheServer() {
        try (JdbcLockProvider provider = Databases.at(server.url(), Map.of("timeout", "5s"))) {
            Bidder holder = Bidder.once(provider, name);
            long token = holder.token();
            server.kill();
            assertThatThrownBy(holder::held).isInstanceOf(LockStoreException.class);
            server.restart();
            Waits.answered().until(holder::held);
            assertThat(Bidder.once(provider, name).granted()).isFalse();
            assertThat(holder.token()).isEqualTo(token);
            assertThat(holder.released()).isTrue();
            Bidder next = Bidder.once(provider, name);
            assertThat(next.token()).isGreaterThan(token);
            next.released();
        }
    }
}
