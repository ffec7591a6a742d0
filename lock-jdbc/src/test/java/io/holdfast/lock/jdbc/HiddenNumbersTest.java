package io.holdfast.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.jdbc.Databases.SharedMariaDb;
import io.holdfast.lock.jdbc.JdbcLockProvider.Database;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A driver, or a proxy before the server, that withholds the number which answers an attempt in MariaDB. */
@NeedsMariaDb
@Tag("server")
class HiddenNumbersTest {

    private static final String URL = SharedMariaDb.URL + "&useAffectedRows=true";

    private final String name = "name-" + UUID.randomUUID();

    private static DataSource hiding() {
        return (DataSource) hiding(DataSource.class, new TestDataSource(URL));
    }

    private static Object hiding(Class<?> type, Object target) {
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
            try {
                if (method.getName().equals("getGeneratedKeys")) {
                    return ((Statement) target)
                            .getConnection()
                            .createStatement()
                            .executeQuery("SELECT 1 LIMIT 0");
                }
                Object result = method.invoke(target, arguments);
                Class<?> given = method.getReturnType();
                return given == Connection.class || given == PreparedStatement.class ? hiding(given, result) : result;
            } catch (InvocationTargetException failure) {
                throw failure.getCause();
            }
        });
    }

    /** It must not be reported as contended: the lock may be this claim's. */
    @Proves({"1.6", "5.6"})
    @Test
    void attemptWithoutItsNumberFailsAndIsUndoneByTheRelease() {
        try (JdbcLockProvider provider = JdbcLockProvider.over(hiding())
                        .database(Database.MARIADB)
                        .build();
                JdbcLockProvider other = Databases.at(SharedMariaDb.URL)) {
            TestClaim claim = TestClaim.once(provider, name);
            assertThatThrownBy(claim::granted)
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("whether the lock was granted is not known");
            assertThat(TestClaim.once(other, name).granted()).isFalse();
            assertThat(claim.released()).isTrue();
            assertThat(TestClaim.once(other, name).granted()).isTrue();
        }
    }

    /** It changed nothing, so it was not granted. */
    @Test
    void refusedAttemptWithoutItsNumberIsContended() {
        try (JdbcLockProvider provider = JdbcLockProvider.over(hiding())
                        .database(Database.MARIADB)
                        .build();
                JdbcLockProvider other = Databases.at(SharedMariaDb.URL)) {
            assertThat(TestClaim.once(other, name).granted()).isTrue();
            assertThat(TestClaim.once(provider, name).granted()).isFalse();
        }
    }
}
