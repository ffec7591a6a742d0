package io.holdfast.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.jdbc.jpa.JpaLockProvider;
import io.holdfast.lock.jdbc.jpa.JpaLockProvider.Strategy;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.faults.TcpProxy;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import jakarta.persistence.EntityManagerFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Attempts that certainly had no effect. Their release needs no database, and so does not wait for one that is down. */
class UnsentAttemptsTest {

    private static void assertNeedsNoRelease(LockProvider provider, String reason) {
        TestClaim claim = TestClaim.once(provider, "a");
        assertThatThrownBy(claim::granted)
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining(reason);
        // It would fail like the attempt if the database were asked.
        assertThat(claim.released()).isFalse();
    }

    @Proves("5.6")
    @Test
    void attemptWithoutDatabaseNeedsNoRelease() {
        try (TcpProxy proxy = TcpProxy.to("127.0.0.1", 1)) {
            proxy.refuse();
            String url = "jdbc:postgresql://127.0.0.1:" + proxy.port() + "/postgres";
            try (LockProvider provider = Databases.at(url, "poolWait", "250ms")) {
                assertNeedsNoRelease(provider, "acquire of lock 'a' failed");
            }
        }
    }

    @Proves("5.6")
    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#all")
    @Tag("server")
    void attemptWithoutTableNeedsNoRelease(String url) {
        try (LockProvider provider = Databases.at(url, "table", "nowhere")) {
            assertNeedsNoRelease(provider, "is missing: run the shipped script");
        }
    }

    @Proves("5.6")
    @ParameterizedTest
    @EnumSource
    void attemptByJpaThatFailedBeforeItsCommitNeedsNoRelease(Strategy strategy) {
        try (HikariDataSource pool = JpaUnits.pool(Databases.h2());
                EntityManagerFactory factory = JpaUnits.opened("locks", pool);
                LockProvider provider =
                        JpaLockProvider.over(factory).strategy(strategy).build()) {
            assertNeedsNoRelease(provider, "the table is missing");
        }
    }
}
