package io.holdfast.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.lock.jdbc.jpa.JpaLockProvider;
import io.holdfast.lock.jdbc.jpa.JpaLockProvider.Strategy;
import io.holdfast.parts.TestClaim;
import io.holdfast.parts.Waits;
import io.holdfast.servers.PostgreSqlServer;
import jakarta.persistence.EntityManagerFactory;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * A PostgreSQL server for a test class, with a persistence unit on it, and transactions of others.
 *
 * @param server the server
 * @param factory of the unit, whose pool does not wait long
 */
record JpaServer(PostgreSqlServer server, EntityManagerFactory factory) implements AutoCloseable {

    private static final String APPLICATION = "&ApplicationName=holdfast-jpa&cancelSignalTimeout=1";
    private static final String BLOCKED =
            " FROM pg_stat_activity WHERE application_name = 'holdfast-jpa' AND wait_event_type = 'Lock'";
    private static final int POOL_WAIT_MILLIS = 2_000;

    /** A time in the past, in SQL. */
    static final String EXPIRED = "clock_timestamp() - interval '1 second'";

    static JpaServer start() {
        // Its data need not outlive the machine, and no call waits for a busy disk.
        PostgreSqlServer server = PostgreSqlServer.start("fsync=off");
        Databases.createTable(server.url());
        HikariDataSource pool = JpaUnits.pool(server.url() + APPLICATION);
        pool.setConnectionTimeout(POOL_WAIT_MILLIS);
        pool.setValidationTimeout(POOL_WAIT_MILLIS / 2);
        return new JpaServer(server, JpaUnits.opened("locks", pool));
    }

    String url() {
        return server.url();
    }

    JpaLockProvider provider(Strategy strategy) {
        return JpaLockProvider.over(factory)
                .strategy(strategy)
                // Longer than a test takes to act on a blocked attempt.
                .timeout(Duration.ofSeconds(15))
                .build();
    }

    void leaveAnExpiredRow(JpaLockProvider provider, String name) {
        assertThat(TestClaim.once(provider, name).granted()).isTrue();
        Databases.run(url(), "UPDATE holdfast_lock SET expires_at = " + EXPIRED + " WHERE name = '" + name + "'");
    }

    /** A transaction of another client that has done something and is not committed. */
    Connection uncommitted(String statementText) throws SQLException {
        return uncommitted(url(), statementText);
    }

    static Connection uncommitted(String url, String statementText) throws SQLException {
        Connection other = Databases.connect(url);
        other.setAutoCommit(false);
        try (Statement statement = other.createStatement()) {
            statement.execute(statementText);
        }
        return other;
    }

    void awaitBlocked() {
        Waits.soon().until(() -> !Databases.ask(url(), "SELECT 1" + BLOCKED).isEmpty());
    }

    void killTheBlocked() {
        Databases.run(url(), "SELECT pg_terminate_backend(pid)" + BLOCKED);
    }

    @Override
    public void close() {
        factory.close();
        server.close();
    }
}
