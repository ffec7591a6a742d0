package io.holdfast.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockStoreException;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Settings that must not change the outcome of the statements for H2. */
class H2SettingsTest {

    private final String name = "name-" + UUID.randomUUID();

    @Proves({"1.1", "1.3", "6.1"})
    @ParameterizedTest
    @ValueSource(
            strings = {
                "MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE;DEFAULT_NULL_ORDERING=HIGH",
                "MODE=MySQL;DATABASE_TO_LOWER=TRUE;CASE_INSENSITIVE_IDENTIFIERS=TRUE",
                "MODE=MariaDB",
                "MODE=Oracle",
                "MODE=MSSQLServer",
                "MODE=DB2",
                "IGNORECASE=TRUE",
                "LOCK_MODE=3;DEFAULT_LOCK_TIMEOUT=1",
            })
    void outcomeDoesNotDependOnSettings(String settings) throws SQLException {
        String url = Databases.h2() + ";" + settings;
        try (JdbcLockProvider provider = Databases.at(url, Databases.PROPERTIES)) {
            TestClaim holder = TestClaim.once(provider, name);
            long token = holder.token();
            assertThat(holder.token()).isEqualTo(token);
            TestClaim rival = TestClaim.once(provider, name);
            assertThat(rival.granted()).isFalse();
            TestClaim other = TestClaim.once(provider, name.toUpperCase(java.util.Locale.ROOT));
            assertThat(other.granted()).isTrue();
            assertThat(other.released()).isTrue();
            assertThat(holder.held()).isTrue();
            assertThat(provider.holder(name).orElseThrow().host()).contains(TestClaim.CLAIMANT.host());

            Databases.expire(url, name, Duration.ofMinutes(2));
            assertThat(holder.held()).isFalse();
            assertThat(rival.token()).isGreaterThan(token);
            assertThat(holder.granted()).isFalse();
            assertThat(holder.released()).isFalse();
            provider.records().sweep();
            assertThat(rival.released()).isTrue();
            assertThat(Databases.count(url)).isZero();
        }
    }

    @Test
    void remainingLeaseDoesNotDependOnTheSessionsTimeZone() {
        String url = Databases.h2();
        Databases.createTable(url);
        try (JdbcLockProvider east = inZone(url, "UTC+10");
                JdbcLockProvider west = inZone(url, "UTC-10")) {
            assertThat(TestClaim.once(east, name).granted()).isTrue();
            assertThat(TestClaim.once(west, name).refused().retryAfter().orElseThrow())
                    .isBetween(Duration.ofSeconds(1), TestClaim.LEASE.plusMillis(1));
        }
    }

    private static JdbcLockProvider inZone(String url, String zone) {
        JdbcDataSource source = new JdbcDataSource();
        source.setURL(url + ";TIME ZONE=" + zone);
        return JdbcLockProvider.over(source).build();
    }

    /** Like a crash, which loses commits that H2 has not written yet. */
    @Proves("6.1")
    @Test
    void tokensKeepGrowingAfterTheLastOnesAreUndone() {
        String url = Databases.newH2();
        try (JdbcLockProvider provider = Databases.at(url)) {
            long token = TestClaim.once(provider, name).token();
            Databases.run(url, "DELETE FROM holdfast_lock", "UPDATE holdfast_lock_token SET token = 0");
            assertThat(TestClaim.once(provider, name).token()).isGreaterThan(token);
        }
    }

    @Proves("1.6")
    @Test
    void missingTokenRowIsAFailureAndNoContention() {
        String url = Databases.h2();
        Databases.createTable(url);
        Databases.run(url, "DELETE FROM holdfast_lock_token");
        try (JdbcLockProvider provider = Databases.at(url)) {
            assertThatThrownBy(TestClaim.once(provider, "a")::granted)
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("the row that tokens come from is missing");
        }
    }
}
