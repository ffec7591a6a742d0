package io.holdfast.lock.jdbc;

import static io.holdfast.parts.StoreAssertions.assertFails;
import static io.holdfast.parts.StoreAssertions.assertWorksAgain;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.SQLExceptionOverride;
import io.holdfast.lock.jdbc.table.LockKey;
import io.holdfast.lock.jdbc.table.SqlDialect;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import io.holdfast.parts.Waits;
import io.holdfast.servers.DatabaseServer;
import io.holdfast.servers.MariaDbServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A MariaDB server in trouble. */
@NeedsMariaDb
@Tag("full")
class MariaDbFaultsTest extends FaultsScene {

    private static MariaDbServer server;

    @BeforeAll
    static void start() {
        // The last survives a kill of the server, and a slow disk does not hold up each commit.
        server = MariaDbServer.start("log-bin", "server-id=1", "innodb-flush-log-at-trx-commit=2");
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

    /** Writes more than an attempt, so that the server ends the attempt. */
    @Override
    String[] lockingTheRow() {
        return new String[] {
            "CREATE TEMPORARY TABLE work (n INT PRIMARY KEY) ENGINE = InnoDB",
            "INSERT INTO work (n) SELECT seq FROM seq_1_to_1000",
            // By the key: other conditions lock all rows.
            "UPDATE holdfast_lock SET pid = pid + 1 WHERE name_hash = '"
                    + LockKey.of(name).hash() + "'"
        };
    }

    @Override
    String blocked() {
        // Not innodb_trx, which is a copy that is not refreshed while it is read often.
        return "SELECT id FROM information_schema.processlist WHERE info LIKE '%INSERT INTO holdfast_lock%'"
                + " AND id <> CONNECTION_ID() AND 0 < (SELECT variable_value FROM information_schema.global_status"
                + " WHERE variable_name = 'INNODB_ROW_LOCK_CURRENT_WAITS')";
    }

    @Override
    String killing(String connection) {
        return "KILL CONNECTION " + connection;
    }

    @Test
    void deadlockIsReported() throws SQLException {
        leaveAnExpiredRow();
        try (JdbcLockProvider provider = provider("");
                Connection other = lockedRow()) {
            CompletableFuture<Boolean> attempt = attempt(provider);
            awaitBlocked();
            // The lock that the attempt has.
            run(
                    other,
                    "SELECT token FROM holdfast_lock WHERE name_hash = '"
                            + LockKey.of(name).counter() + "' FOR UPDATE");
            assertDeadlock(attempt);
            other.rollback();
            assertWorksAgain(provider, name);
        }
    }

    @Test
    void serversLockWaitTimeoutIsReported() throws SQLException {
        leaveAnExpiredRow();
        try (JdbcLockProvider provider = Databases.at(server.url() + "&sessionVariables=innodb_lock_wait_timeout=1");
                Connection other = lockedRow()) {
            assertFails(TestClaim.once(provider, name)::granted, "a row was locked for too long");
            other.rollback();
            assertWorksAgain(provider, name);
        }
    }

    @Proves("9.5")
    @Test
    void readOnlyConnectionIsNotLentAgain() {
        Databases.run(server.url(), "SET GLOBAL tx_read_only = 1");
        try (JdbcLockProvider provider = provider("")) {
            assertFails(TestClaim.once(provider, name)::granted, "the database is read-only");
            // Applies to new connections only.
            Databases.run(server.url(), "SET GLOBAL tx_read_only = 0");
            assertWorksAgain(provider, name);
        }
    }

    @ParameterizedTest
    @CsvSource({"1290, MUST_EVICT", "1792, MUST_EVICT", "1836, MUST_EVICT", "1205, CONTINUE_EVICT"})
    void poolDropsConnectionsToAReadOnlyServer(int number, SQLExceptionOverride.Override verdict) {
        SQLException failure = new SQLException("x", "HY000", number);
        assertThat(new LostConnectionEviction(SqlDialect.of("mariadb")).adjudicate(failure))
                .isEqualTo(verdict);
    }

    @Test
    void readOnlyServerIsReported() {
        Databases.run(
                server.url(),
                "CREATE USER writer@'%'",
                "GRANT SELECT, INSERT, UPDATE, DELETE ON holdfast_lock TO writer@'%'",
                "SET GLOBAL read_only = 1");
        try (JdbcLockProvider provider = Databases.at(server.url().replace("user=root", "user=writer"))) {
            assertFails(TestClaim.once(provider, name)::granted, "the database is read-only");
            // After a switchover the next connection may lead to another server.
            Waits.soon()
                    .until(() -> Databases.ask(
                                    server.url(), "SELECT id FROM information_schema.processlist WHERE user = 'writer'")
                            .isEmpty());
            Databases.run(server.url(), "SET GLOBAL read_only = 0");
            assertWorksAgain(provider, name);
        }
    }
}
