package io.holdfast.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.jdbc.jpa.JpaLockProvider;
import io.holdfast.lock.jdbc.jpa.JpaLockProvider.Strategy;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import io.holdfast.servers.TcpProxy;
import jakarta.persistence.EntityManagerFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Bids that certainly had no effect: there is nothing to take back, so nothing has to wait for a database that is not there. */
class UnsentBidsTest {

    private static void assertNothingIsTakenBack(LockProvider provider, String reason) {
        TestClaim bidder = TestClaim.once(provider, "a");
        assertThatThrownBy(bidder::granted)
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining(reason);
        // It would fail as the bid did, if the database were asked.
        assertThat(bidder.released()).isFalse();
    }

    @Proves("5.6")
    @Test
    void aBidThatFoundNoDatabaseHasNothingToTakeBack() {
        try (TcpProxy proxy = TcpProxy.to("127.0.0.1", 1)) {
            proxy.refuse();
            String url = "jdbc:postgresql://127.0.0.1:" + proxy.port() + "/postgres";
            try (LockProvider provider = Databases.at(url, "poolWait", "250ms")) {
                assertNothingIsTakenBack(provider, "acquire of lock 'a' failed");
            }
        }
    }

    @Proves("5.6")
    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#all")
    @Tag("server")
    void aBidThatFoundNoTableHasNothingToTakeBack(String url) {
        try (LockProvider provider = Databases.at(url, "table", "nowhere")) {
            assertNothingIsTakenBack(provider, "is missing: run the shipped script");
        }
    }

    @Proves("5.6")
    @ParameterizedTest
    @EnumSource
    void aBidByJpaThatFailedBeforeItsCommitHasNothingToTakeBack(Strategy strategy) {
        try (HikariDataSource pool = JpaUnits.pool(Databases.h2());
                EntityManagerFactory factory = JpaUnits.opened("locks", pool);
                LockProvider provider =
                        JpaLockProvider.over(factory).strategy(strategy).build()) {
            assertNothingIsTakenBack(provider, "the table is missing");
        }
    }
}
