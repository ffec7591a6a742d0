package io.holdfast.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.jdbc.table.LockKey;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Locks are independent of the application's transactions. */
@Tag("server")
class TransactionsTest {

    private final String name = "name-" + UUID.randomUUID();

    /** On the same connection: what an acquire had left open would be undone with the transaction. */
    @Proves("1.7")
    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#all")
    void lockOutlivesTheRollbackOnItsConnection(String url) throws SQLException {
        try (Connection transaction = Databases.connect(url);
                Statement statement = transaction.createStatement();
                JdbcLockProvider provider =
                        JdbcLockProvider.over(binding(transaction)).build()) {
            TestClaim holder = TestClaim.once(provider, name);
            assertThat(holder.granted()).isTrue();
            transaction.setAutoCommit(false);
            statement.execute("UPDATE holdfast_lock SET pid = 0 WHERE name_hash = '"
                    + LockKey.of(name).hash() + "'");
            transaction.rollback();
            transaction.setAutoCommit(true);
            assertThat(holder.held()).isTrue();
            assertThat(TestClaim.once(provider, name).granted()).isFalse();
            assertThat(holder.released()).isTrue();
            transaction.setAutoCommit(false);
            statement.execute("SELECT count(*) FROM holdfast_lock");
            transaction.rollback();
            assertThat(Databases.ask(url, "SELECT count(*) FROM holdfast_lock WHERE name = '" + name + "'"))
                    .isEqualTo("0");
        }
    }

    /** Attempts and renewals ask for a durable commit. The application's own commits are not changed. */
    @Proves("9.6")
    @Test
    void lazyCommitOfAConnectionIsKeptInPostgreSql() throws SQLException {
        try (Connection lazy = Databases.connect(Databases.SharedPostgreSql.URL);
                Statement statement = lazy.createStatement();
                JdbcLockProvider provider = JdbcLockProvider.over(binding(lazy)).build()) {
            statement.execute("SET synchronous_commit = off");
            TestClaim holder = TestClaim.once(provider, name);
            assertThat(holder.granted()).isTrue();
            assertThat(synchronousCommit(statement)).isEqualTo("off");
            assertThat(holder.held()).isTrue();
            assertThat(synchronousCommit(statement)).isEqualTo("off");
            assertThat(holder.released()).isTrue();
        }
    }

    private static String synchronousCommit(Statement statement) throws SQLException {
        try (ResultSet setting = statement.executeQuery("SHOW synchronous_commit")) {
            setting.next();
            return setting.getString(1);
        }
    }

    /**
     * A data source as frameworks make it: within a transaction every caller gets its connection, whose close does
     * nothing.
     */
    static DataSource binding(Connection bound) {
        Object unclosable = Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("close")) {
                        return null;
                    }
                    try {
                        return method.invoke(bound, arguments);
                    } catch (InvocationTargetException failure) {
                        throw failure.getCause();
                    }
                });
        return (DataSource) Proxy.newProxyInstance(
                DataSource.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> method.getReturnType() == Connection.class ? unclosable : "bound");
    }

    @Proves("1.7")
    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#all")
    void connectionBoundToATransactionIsRefusedAndLeftAlone(String url) throws SQLException {
        try (Connection transaction = Databases.connect(url);
                Statement statement = transaction.createStatement();
                JdbcLockProvider provider = JdbcLockProvider.over(binding(transaction))
                        .database(Databases.named(url))
                        .build()) {
            transaction.setAutoCommit(false);
            statement.execute("CREATE TABLE IF NOT EXISTS bought (name VARCHAR(100))");
            transaction.commit();
            statement.execute("INSERT INTO bought (name) VALUES ('" + name + "')");
            assertThatThrownBy(TestClaim.once(provider, name)::granted)
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("autocommit off");
            assertThat(transaction.isClosed()).isFalse();
            transaction.rollback();
            transaction.setAutoCommit(true);
        }
        assertThat(Databases.ask(url, "SELECT count(*) FROM bought WHERE name = '" + name + "'"))
                .isEqualTo("0");
        assertThat(Databases.ask(url, "SELECT count(*) FROM holdfast_lock WHERE name = '" + name + "'"))
                .isEqualTo("0");
    }
}
