package io.holdfast.lock.jdbc;

import static io.holdfast.parts.StoreAssertions.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.jdbc.JdbcLockProvider.Database;
import io.holdfast.lock.jdbc.jpa.JpaLockProvider;
import io.holdfast.parts.TestClaim;
import io.holdfast.servers.MariaDbServer;
import jakarta.persistence.EntityManagerFactory;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The reason of a failure and what to do about it, from real drivers, pools and servers. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("server")
class MessagesTest {

    private static final String LOST = "the connection was lost or could not be made";

    private final String name = "name-" + UUID.randomUUID();

    @Test
    void missingTableIsReportedWithTheCallThatCreatesIt() {
        Throwable failure = catchThrowable(() -> {
            try (LockClient client = LockClient.connect("jdbc:h2:mem:" + name)) {
                client.lock(name).tryAcquire();
            }
        });
        assertThat(failure)
                .hasMessageContaining("run the shipped script io/holdfast/lock/jdbc/holdfast-h2.sql")
                .hasMessageContaining("LockClient.builder(url).property(\"createTable\", \"true\")");
        StringWriter trace = new StringWriter();
        failure.printStackTrace(new PrintWriter(trace));
        assertThat(trace.toString()).contains("org.h2.").doesNotContain("SQL statement", "MERGE INTO");
    }

    @Test
    void missingTableOfAUnitIsReportedWithTheUnitsSetting() {
        try (HikariDataSource pool = JpaUnits.pool(Databases.h2());
                EntityManagerFactory factory = JpaUnits.opened("locks", pool);
                JpaLockProvider provider = JpaLockProvider.over(factory).build()) {
            assertThatThrownBy(TestClaim.once(provider, name)::granted)
                    .hasMessageContaining("run the shipped script io/holdfast/lock/jdbc/holdfast-h2.sql")
                    .hasMessageContaining("create-script-source")
                    .hasMessageNotContaining("createTable");
        }
    }

    /** As if a pool lent a connection that was closed. */
    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#all")
    void closedConnectionIsNotReportedAsRefusal(String url) throws SQLException {
        try (HikariDataSource pool = JpaUnits.pool(url)) {
            try (JdbcLockProvider provider = JdbcLockProvider.over(TransactionsTest.binding(closed(pool)))
                    .database(Databases.named(url))
                    .build()) {
                assertFails(TestClaim.once(provider, name)::granted, LOST);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.JpaUnits#urls")
    void closedConnectionOfAUnitIsNotReportedAsRefusal(String url) throws SQLException {
        try (HikariDataSource pool = JpaUnits.pool(url)) {
            AtomicReference<DataSource> current = new AtomicReference<>(pool);
            try (EntityManagerFactory factory = JpaUnits.opened("locks", JpaUnitTest.switched(current));
                    JpaLockProvider provider = JpaLockProvider.over(factory).build()) {
                current.set(TransactionsTest.binding(closed(pool)));
                assertFails(TestClaim.once(provider, name)::granted, LOST);
            }
        }
    }

    private static Connection closed(HikariDataSource pool) throws SQLException {
        Connection connection = pool.getConnection();
        connection.close();
        return connection;
    }

    /** Its driver reports only a setter that was called too late on the connection that the pool tested. */
    @NeedsMariaDb
    @Test
    void silentMariaDbIsNotReportedAsRefusal() throws SQLException {
        try (MariaDbServer server = MariaDbServer.start();
                // Otherwise the driver takes the log-in time-out of the JVM, which every new pool sets.
                HikariDataSource pool = JpaUnits.pool(server.url() + "&connectTimeout=20000")) {
            Databases.createTable(server.url());
            pool.setConnectionTimeout(2_500);
            pool.setValidationTimeout(500);
            try (Connection first = pool.getConnection();
                    Connection second = pool.getConnection()) {
                assertThat(first).isNotSameAs(second);
            }
            try (JdbcLockProvider provider = JdbcLockProvider.over(pool)
                    .database(Database.MARIADB)
                    .timeout(Duration.ofSeconds(1))
                    .build()) {
                server.pause();
                try {
                    // The pool tests what was idle for half a second: the second connection, on a slow machine both.
                    List<Throwable> failures = List.of(
                            catchThrowable(TestClaim.once(provider, name)::granted),
                            catchThrowable(TestClaim.once(provider, name)::granted));
                    assertThat(failures)
                            .hasOnlyElementsOfType(LockStoreException.class)
                            .anySatisfy(
                                    failure -> assertThat(failure).hasMessageContainingAll(LOST, "setNetworkTimeout"));
                } finally {
                    server.resume();
                }
            }
        }
    }

    static Stream<String> withUsers() {
        return Databases.all().filter(url -> url.contains("user="));
    }

    @ParameterizedTest
    @MethodSource("withUsers")
    void unknownUserIsReportedWithWhatToCheck(String url) {
        String asNobody = url.replaceFirst("user=[a-z]+", "user=nobody");
        try (JdbcLockProvider provider = Databases.at(asNobody, "poolWait", "1s")) {
            assertFails(
                    TestClaim.once(provider, name)::granted, "log-in was refused", "check the user and the password");
        }
    }

    @ParameterizedTest
    @MethodSource("withUsers")
    void missingDatabaseIsReported(String url) {
        String elsewhere = url.replaceFirst("/[a-z]+[?]", "/not_there?");
        try (JdbcLockProvider provider = Databases.at(elsewhere, "poolWait", "1s")) {
            assertFails(TestClaim.once(provider, name)::granted, "there is no database of this name");
        }
    }

    @Test
    void wrongDatabaseSettingIsSuspected() {
        String reason = "'database' names another one";
        try (HikariDataSource postgreSql = JpaUnits.pool(Databases.SharedPostgreSql.URL);
                HikariDataSource h2 = JpaUnits.pool(Databases.SharedH2.URL)) {
            try (JdbcLockProvider provider =
                    JdbcLockProvider.over(postgreSql).database(Database.H2).build()) {
                assertFails(TestClaim.once(provider, name)::granted, reason);
            }
            try (JdbcLockProvider provider =
                    JdbcLockProvider.over(h2).database(Database.POSTGRESQL).build()) {
                assertFails(TestClaim.once(provider, name)::granted, reason);
            }
            try (JpaLockProvider provider = JpaLockProvider.over(JpaUnits.factory(Databases.SharedPostgreSql.URL))
                    .database(Database.H2)
                    .build()) {
                assertFails(TestClaim.once(provider, name)::granted, reason);
            }
        }
    }

    @Test
    void readOnlyH2FileIsReported(@TempDir Path folder) {
        String url = "jdbc:h2:" + folder.resolve("locks");
        Databases.createTable(url);
        try (JdbcLockProvider provider = Databases.at(url + ";ACCESS_MODE_DATA=r")) {
            assertFails(TestClaim.once(provider, name)::granted, "the database is read-only");
        }
    }

    @Test
    void exhaustedPoolIsReportedWithoutCodes() throws SQLException {
        try (HikariDataSource pool = JpaUnits.pool(Databases.SharedH2.URL)) {
            pool.setMaximumPoolSize(1);
            // There from the beginning: the time-out is short.
            pool.setMinimumIdle(1);
            pool.setConnectionTimeout(250);
            try (Connection taken = pool.getConnection();
                    JdbcLockProvider provider =
                            JdbcLockProvider.over(pool).database(Database.H2).build()) {
                assertThat(taken.isClosed()).isFalse();
                assertThatThrownBy(TestClaim.once(provider, name)::granted)
                        .hasMessageContaining("the pool has no free connection")
                        .hasMessageNotContaining("null");
            }
        }
    }
}
