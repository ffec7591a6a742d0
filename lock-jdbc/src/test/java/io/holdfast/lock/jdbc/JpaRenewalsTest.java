package io.holdfast.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.jdbc.jpa.JpaLockProvider;
import io.holdfast.lock.jdbc.jpa.JpaLockProvider.Strategy;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import io.holdfast.parts.Waits;
import jakarta.persistence.EntityManagerFactory;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Changes by others while rows are renewed by JPA. */
@Tag("server")
class JpaRenewalsTest {

    private final String name = "name-" + UUID.randomUUID();

    private String rowOf(String lock) {
        return " FROM holdfast_lock WHERE name = '" + lock + "'";
    }

    @Proves({"3.3", "3.6"})
    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.JpaUnits#all")
    void lockedRowLeavesItsClaimUnknownAndTheOthersRenewed(String url, Strategy strategy) throws SQLException {
        try (JpaLockProvider provider = JpaUnits.at(url, strategy)) {
            TestClaim locked = TestClaim.once(provider, name);
            TestClaim free = TestClaim.once(provider, name + "-free", Duration.ofSeconds(40));
            TestClaim gone = TestClaim.once(provider, name + "-gone");
            assertThat(List.of(locked, free, gone)).allMatch(TestClaim::granted);
            assertThat(gone.released()).isTrue();
            String before = Databases.ask(url, "SELECT expires_at" + rowOf(name + "-free"));
            try (Connection other = JpaServer.uncommitted(url, "SELECT *" + rowOf(name) + " FOR UPDATE")) {
                List<Renewal> renewals = provider.renewAll(List.of(locked.claim, free.claim, gone.claim));
                assertThat(renewals)
                        .extracting(Object::getClass)
                        .containsExactly(Renewal.Unknown.class, Renewal.Held.class, Renewal.Lost.class);
                assertThat(((Renewal.Unknown) renewals.get(0)).failure())
                        .hasMessageContaining(
                                "renewal of lock '" + name + "' failed: another transaction has locked its row");
                assertThatThrownBy(locked.claim::renew)
                        .isInstanceOf(LockStoreException.class)
                        .hasMessageContaining("another transaction has locked its row");
                other.rollback();
            }
            assertThat(Databases.ask(url, "SELECT expires_at" + rowOf(name + "-free")))
                    .isGreaterThan(before);
            assertThat(locked.held()).isTrue();
            assertThat(locked.released()).isTrue();
            assertThat(free.released()).isTrue();
        }
    }

    @Proves("3.2")
    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.JpaUnits#all")
    void rowEndedByAnotherTransactionIsUnknownAndThenLost(String url, Strategy strategy) throws SQLException {
        try (JpaLockProvider provider = JpaUnits.at(url, strategy)) {
            TestClaim holder = TestClaim.once(provider, name);
            assertThat(holder.granted()).isTrue();
            try (Connection other = JpaServer.uncommitted(
                    url,
                    "UPDATE holdfast_lock SET expires_at = CURRENT_TIMESTAMP - INTERVAL '1' SECOND WHERE name = '"
                            + name + "'")) {
                assertThatThrownBy(holder::held).isInstanceOf(LockStoreException.class);
                other.commit();
            }
            assertThat(holder.held()).isFalse();
            assertThat(holder.released()).isFalse();
        }
    }

    /** A renewal waits for no row, but for a table that an administrator has locked. */
    @Proves("3.2")
    @ParameterizedTest
    @EnumSource
    void renewalThatHadToWaitDoesNotProlongAnExpiredLease(Strategy strategy) throws SQLException {
        String url = Databases.newPostgreSql();
        try (HikariDataSource pool = JpaUnits.pool(url);
                EntityManagerFactory factory = JpaUnits.opened("locks", pool);
                JpaLockProvider provider = JpaLockProvider.over(factory)
                        .strategy(strategy)
                        .timeout(Waits.FAULT_BOUND)
                        .build()) {
            TestClaim holder = TestClaim.once(provider, name, Duration.ofSeconds(2));
            assertThat(holder.granted()).isTrue();
            try (Connection other = JpaServer.uncommitted(url, "LOCK TABLE holdfast_lock IN EXCLUSIVE MODE")) {
                CompletableFuture<Boolean> renewal = CompletableFuture.supplyAsync(holder::held);
                Waits.soon()
                        .until(() -> !Databases.ask(
                                        url,
                                        "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'holdfast_lock'::regclass")
                                .isEmpty());
                Waits.soon()
                        .until(() -> Databases.ask(url, "SELECT expires_at <= clock_timestamp()" + rowOf(name))
                                .equals("t"));
                other.rollback();
                assertThat(renewal.join()).isFalse();
            }
            assertThat(holder.released()).isFalse();
        }
    }
}
