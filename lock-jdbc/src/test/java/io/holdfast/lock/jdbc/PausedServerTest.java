package io.holdfast.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.jdbc.JdbcLockProvider.Database;
import io.holdfast.parts.Bidder;
import io.holdfast.parts.Proves;
import io.holdfast.parts.Waits;
import io.holdfast.servers.DatabaseServer;
import io.holdfast.servers.MariaDbServer;
import io.holdfast.servers.PostgreSqlServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A server that is stopped where it is, and a pool that is not as the provider wants it. */
class PausedServerTest {

    private static final int POOL_WAIT_MILLIS = 2_000;

    private final String name = "name-" + UUID.randomUUID();
    private final ExecutorService thread = Executors.newSingleThreadExecutor();

    @AfterEach
    void end() {
        thread.shutdownNow();
    }

    @Proves("9.5")
    @Test
    void aPausedPostgreSqlFailsTheCallInTimeAlsoWhereAConnectionHasAutocommitOff() throws SQLException {
        try (PostgreSqlServer server = PostgreSqlServer.start("fsync=off")) {
            assertFailsInTime(server, Database.POSTGRESQL);
        }
    }

    @NeedsMariaDb
    @Proves("9.5")
    @Test
    void aPausedMariaDbFailsTheCallInTimeAlsoWhereAConnectionHasAutocommitOff() throws SQLException {
        try (MariaDbServer server = MariaDbServer.start()) {
            assertFailsInTime(server, Database.MARIADB);
        }
    }

    /** The connection is lent without a trial if it was used in the last half second: then it is refused, else the pool fails. */
    private void assertFailsInTime(DatabaseServer server, Database database) throws SQLException {
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setJdbcUrl(server.url());
            pool.setAutoCommit(false);
            pool.setMaximumPoolSize(1);
            pool.setConnectionTimeout(POOL_WAIT_MILLIS);
            pool.setValidationTimeout(POOL_WAIT_MILLIS);
            try (JdbcLockProvider provider =
                    JdbcLockProvider.over(pool).database(database).build()) {
                try (Connection connection = pool.getConnection()) {
                    assertThat(connection.isValid(1)).isTrue();
                }
                server.pause();
                try {
                    Throwable failure =
                            Waits.failure(CompletableFuture.supplyAsync(Bidder.once(provider, name)::granted, thread));
                    assertThat(failure).isInstanceOf(LockStoreException.class);
                } finally {
                    server.resume();
                }
                // A pool that has lost its connection needs a while for another one.
                Waits.soon()
                        .untilAsserted(() -> assertThatThrownBy(Bidder.once(provider, name)::granted)
                                .isInstanceOf(LockStoreException.class)
                                .hasMessageContaining("autocommit off"));
                assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
            }
        }
    }
}
