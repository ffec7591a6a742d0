package io.holdfast.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.lock.LockStoreException;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A closed provider, whose database and given data source are still open. */
class ClosedProviderTest {

    private final String name = "name-" + UUID.randomUUID();

    @Proves("9.6")
    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#all")
    @Tag("server")
    void closedProviderRefusesEachCallAndLeavesTheDataSourceOpen(String url) throws SQLException {
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setJdbcUrl(url);
            JdbcLockProvider provider = JdbcLockProvider.over(pool).build();
            TestClaim holder = TestClaim.once(provider, name);
            assertThat(holder.granted()).isTrue();
            TestClaim never = TestClaim.once(provider, name);
            provider.close();

            assertRefused(holder::granted, "acquire of lock '" + name + "'");
            assertRefused(holder::held, "renewal of lock '" + name + "'");
            assertRefused(() -> provider.renewAll(List.of(holder.claim, never.claim)), "renewal of 2 locks");
            assertRefused(holder::released, "release of lock '" + name + "'");
            assertRefused(() -> provider.holder(name), "holder of lock '" + name + "'");
            assertThat(never.released()).isFalse();

            assertThat(Databases.ask(url, "SELECT count(*) FROM holdfast_lock WHERE name = '" + name + "'"))
                    .isEqualTo("1");
            assertThat(pool.isClosed()).isFalse();
            try (Connection connection = pool.getConnection()) {
                assertThat(connection.isValid(1)).isTrue();
            }
        }
    }

    @Test
    void closedProviderWithItsOwnPoolRefusesCalls() {
        JdbcLockProvider provider = Databases.at(Databases.SharedH2.URL, Databases.PROPERTIES);
        TestClaim claim = TestClaim.once(provider, name);
        provider.close();
        assertRefused(claim::granted, "acquire of lock '" + name + "'");
    }

    private static void assertRefused(ThrowingCallable call, String what) {
        assertThatThrownBy(call)
                .isInstanceOf(LockStoreException.class)
                .hasMessageStartingWith("JDBC at ")
                .hasMessageEndingWith(": " + what + " failed: the provider is closed");
    }
}
