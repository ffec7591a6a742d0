package io.holdfast.lock.jdbc;

import static io.holdfast.parts.StoreAssertions.assertReleaseWakes;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Data sources whose connections come with autocommit off. */
@Tag("server")
class AutocommitOffTest {

    private final String name = "name-" + UUID.randomUUID();
    private final HikariDataSource pool = new HikariDataSource();

    @AfterEach
    void end() {
        pool.close();
    }

    private DataSource pool(String url) {
        pool.setJdbcUrl(url);
        pool.setAutoCommit(false);
        return pool;
    }

    private long rows(String url) {
        return Long.parseLong(Databases.ask(url, "SELECT count(*) FROM holdfast_lock WHERE name = '" + name + "'"));
    }

    @Proves({"1.1", "3.1", "5.4"})
    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#all")
    void poolWithAutocommitOffCommitsEveryOperation(String url) throws SQLException {
        try (JdbcLockProvider provider = JdbcLockProvider.over(pool(url)).build();
                JdbcLockProvider elsewhere = Databases.at(url)) {
            TestClaim holder = TestClaim.once(provider, name);
            assertThat(holder.granted()).isTrue();
            assertThat(rows(url)).isOne();
            assertThat(TestClaim.once(elsewhere, name).granted()).isFalse();
            assertThat(holder.held()).isTrue();
            assertThat(holder.released()).isTrue();
            assertThat(rows(url)).isZero();
            try (Connection connection = pool.getConnection()) {
                assertThat(connection.getAutoCommit()).isFalse();
            }
        }
    }

    @Proves("7.2")
    @Test
    void poolWithAutocommitOffWakesWaiter() {
        try (JdbcLockProvider provider =
                JdbcLockProvider.over(pool(Databases.SharedPostgreSql.URL)).build()) {
            TestClaim holder = TestClaim.once(provider, name);
            assertThat(holder.granted()).isTrue();
            assertReleaseWakes(provider, holder, name);
        }
    }

    /** Over a source without a pool, which would restore the settings itself. */
    @Proves("9.6")
    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#all")
    void connectionKeepsItsSettings(String url) throws SQLException {
        assertKeepsSettings(url, false);
    }

    @Proves("9.6")
    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#all")
    void connectionWithAutocommitOnKeepsItsSettings(String url) throws SQLException {
        assertKeepsSettings(url, true);
    }

    private void assertKeepsSettings(String url, boolean autocommit) throws SQLException {
        try (Connection only = Databases.connect(url);
                Statement statement = only.createStatement()) {
            statement.setQueryTimeout(77);
            only.setAutoCommit(autocommit);
            only.setNetworkTimeout(Runnable::run, 77_000);
            try (JdbcLockProvider provider =
                    JdbcLockProvider.over(TransactionsTest.binding(only)).build()) {
                TestClaim holder = TestClaim.once(provider, name);
                assertThat(holder.granted() && holder.held() && holder.released())
                        .isTrue();
            }
            assertThat(only.getAutoCommit()).isEqualTo(autocommit);
            assertThat(statement.getQueryTimeout()).isEqualTo(77);
            assertThat(only.getNetworkTimeout()).isEqualTo(url.startsWith("jdbc:h2:mem:") ? 0 : 77_000);
        }
    }

    /** A data source as frameworks make it: the thread of a transaction gets the connection of that. */
    private static DataSource bindingToThread(Thread thread, Connection bound, DataSource others) {
        DataSource ofTransaction = TransactionsTest.binding(bound);
        return (DataSource) Proxy.newProxyInstance(
                DataSource.class.getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    try {
                        return method.invoke(Thread.currentThread() == thread ? ofTransaction : others, arguments);
                    } catch (InvocationTargetException failure) {
                        throw failure.getCause();
                    }
                });
    }

    @Proves("1.7")
    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#all")
    void connectionOfTheCallersTransactionIsNotUsed(String url) throws Exception {
        try (Connection transaction = Databases.connect(url);
                Statement statement = transaction.createStatement()) {
            statement.execute("CREATE TABLE IF NOT EXISTS bought (name VARCHAR(100))");
            transaction.setAutoCommit(false);
            DataSource source = bindingToThread(Thread.currentThread(), transaction, pool(url));
            JdbcLockProvider provider =
                    JdbcLockProvider.over(source).database(Databases.named(url)).build();
            try (LockClient client = LockClient.builder(provider).build()) {
                statement.execute("INSERT INTO bought (name) VALUES ('" + name + "')");
                LockHandle held = client.lock(name).tryAcquire().orElseThrow();
                transaction.rollback();
                assertThat(held.renew()).isTrue();
                assertThat(rows(url)).isOne();
                statement.execute("INSERT INTO bought (name) VALUES ('" + name + "')");
                assertThat(held.release()).isTrue();
                transaction.commit();
                assertThat(rows(url)).isZero();
            }
            assertThat(Databases.ask(url, "SELECT count(*) FROM bought WHERE name = '" + name + "'"))
                    .isEqualTo("1");
        }
    }
}
