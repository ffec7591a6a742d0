package io.holdfast.lock.jdbc;

import static io.holdfast.parts.StoreAssertions.assertWorksAgain;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.jdbc.JdbcLockProvider.Database;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import io.holdfast.parts.Waits;
import io.holdfast.servers.DatabaseServer;
import io.holdfast.servers.MariaDbServer;
import io.holdfast.servers.PostgreSqlServer;
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

/** A paused server, and given connections. */
@Tag("full")
@Tag("server")
class PausedServerTest {

    private static final Duration LIMIT = Duration.ofSeconds(1);

    private final String name = "name-" + UUID.randomUUID();
    private final ExecutorService thread = Executors.newSingleThreadExecutor();

    @AfterEach
    void end() {
        thread.shutdownNow();
    }

    @Proves("9.5")
    @Test
    void pausedPostgreSqlFailsTheCallInTime() throws SQLException {
        try (PostgreSqlServer server = PostgreSqlServer.start("fsync=off")) {
            assertFailsInTime(server, server.url() + "&cancelSignalTimeout=1", Database.POSTGRESQL);
        }
    }

    @NeedsMariaDb
    @Proves("9.5")
    @Test
    void pausedMariaDbFailsTheCallInTime() throws SQLException {
        try (MariaDbServer server = MariaDbServer.start()) {
            assertFailsInTime(server, server.url(), Database.MARIADB);
        }
    }

    /** On connections opened before, without a pool that tests them: only our time limits can end the call. */
    private void assertFailsInTime(DatabaseServer server, String url, Database database) throws SQLException {
        Databases.createTable(server.url());
        try (Connection used = Databases.connect(url);
                Connection inTransaction = Databases.connect(url)) {
            inTransaction.setAutoCommit(false);
            try (Statement statement = inTransaction.createStatement()) {
                statement.execute("SELECT count(*) FROM holdfast_lock");
            }
            server.pause();
            try {
                assertThat(failure(used, database)).hasMessageContaining("the database did not answer in time");
                // The PostgreSQL driver knows it; MariaDB's server is asked.
                assertThat(failure(inTransaction, database))
                        .hasMessageContaining(
                                database == Database.POSTGRESQL
                                        ? "autocommit off"
                                        : "the database did not answer in time");
            } finally {
                server.resume();
            }
        }
        try (JdbcLockProvider provider = Databases.at(server.url())) {
            // The server may have executed the first attempt; the engine releases such a claim.
            assertWorksAgain(provider, name + "-again");
        }
    }

    private Throwable failure(Connection connection, Database database) {
        JdbcLockProvider provider = JdbcLockProvider.over(TransactionsTest.binding(connection))
                .database(database)
                .timeout(LIMIT)
                .build();
        Throwable failure =
                Waits.failure(CompletableFuture.supplyAsync(TestClaim.once(provider, name)::granted, thread));
        assertThat(failure).isInstanceOf(LockStoreException.class);
        return failure;
    }
}
