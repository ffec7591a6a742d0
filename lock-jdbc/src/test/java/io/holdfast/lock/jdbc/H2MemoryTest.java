package io.holdfast.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.spi.ConnectionParameters;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import io.holdfast.parts.Waits;
import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.UUID;
import org.h2.tools.Server;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Databases that H2 drops with their last connection. */
class H2MemoryTest {

    private final String database = "mem:" + UUID.randomUUID();
    private final String url = "jdbc:h2:" + database;

    /** As the factory creates it. */
    private static HikariDataSource pool(String url) {
        return JdbcSettings.of(URI.create(url), ConnectionParameters.of("", Databases.PROPERTIES))
                .pooled();
    }

    /** Closes idle connections, as a pool does after a minute without calls. */
    private static void closeIdle(HikariDataSource pool) {
        pool.getHikariPoolMXBean().softEvictConnections();
        Waits.soon().until(() -> pool.getHikariPoolMXBean().getTotalConnections() == 0);
    }

    private static boolean isThere(String url) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url + ";IFEXISTS=TRUE")) {
            return connection.isValid(1);
        } catch (SQLException missing) {
            assertThat(missing.getMessage()).contains("not found");
            return false;
        }
    }

    private static void assertLockOutlivesThePoolsConnections(String url) throws SQLException {
        try (HikariDataSource pool = pool(url)) {
            JdbcLockProvider provider =
                    JdbcLockProvider.over(pool).createTable().build();
            assertThat(TestClaim.once(provider, "a").granted()).isTrue();
            // This also gives back the kept connection.
            provider.close();
            closeIdle(pool);
            assertThat(isThere(url)).isTrue();
            try (JdbcLockProvider another = JdbcLockProvider.over(pool).build()) {
                assertThat(TestClaim.once(another, "a").granted()).isFalse();
            }
        }
    }

    @Proves("1.1")
    @Test
    void lockOutlivesTheConnectionsOfThePool() throws SQLException {
        assertLockOutlivesThePoolsConnections(url);
    }

    @Proves("1.1")
    @Test
    void lockInServerMemoryOutlivesTheConnectionsOfThePool() throws SQLException {
        Server server = Server.createTcpServer("-tcpPort", "0", "-ifNotExists", "-tcpDaemon")
                .start();
        try {
            assertLockOutlivesThePoolsConnections("jdbc:h2:tcp://localhost:" + server.getPort() + "/" + database);
        } finally {
            server.stop();
        }
    }

    @Test
    void closingTheProviderEndsTheDatabase() throws SQLException {
        try (JdbcLockProvider provider = Databases.at(url, Databases.PROPERTIES)) {
            assertThat(TestClaim.once(provider, "a").granted()).isTrue();
            assertThat(isThere(url)).isTrue();
        }
        assertThat(isThere(url)).isFalse();
    }

    /** An operator's shutdown closes the connection that kept the database; it has to be replaced. */
    @Test
    void databaseIsKeptAgainAfterShutdown() throws SQLException {
        try (HikariDataSource pool = pool(url)) {
            JdbcLockProvider provider =
                    JdbcLockProvider.over(pool).createTable().build();
            assertThat(TestClaim.once(provider, "a").granted()).isTrue();
            provider.close();
            closeIdle(pool);
            Databases.run(url, "SHUTDOWN");
            Databases.createTable(url);
            assertThat(isThere(url)).isFalse();
            try (Connection borrowed = pool.getConnection()) {
                assertThat(borrowed.isValid(1)).isTrue();
            }
            closeIdle(pool);
            assertThat(isThere(url)).isTrue();
        }
    }

    @Test
    void databaseThatH2KeepsNeedsNoFurtherConnection() {
        try (HikariDataSource kept = pool(url + ";MODE=MySQL;db_close_delay=-1");
                HikariDataSource brief = pool(url + ";DB_CLOSE_DELAY=-10")) {
            assertThat(kept).isNotInstanceOf(H2MemoryPool.class);
            assertThat(brief).isInstanceOf(H2MemoryPool.class);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"jdbc:h2:mem:", "jdbc:h2:mem:;MODE=MySQL", "jdbc:h2:tcp://localhost/mem:;DB_CLOSE_DELAY=-1"})
    void databaseWithoutNameIsRefused(String unnamed) {
        assertThatThrownBy(() -> Databases.at(unnamed))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("names no database");
    }
}
