package io.holdfast.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.jdbc.jpa.JpaLockProvider;
import io.holdfast.lock.jdbc.jpa.JpaLockProvider.Strategy;
import io.holdfast.lock.jdbc.table.LockKey;
import io.holdfast.parts.Bidder;
import io.holdfast.parts.Proves;
import io.holdfast.parts.Waits;
import io.holdfast.servers.PostgreSqlServer;
import jakarta.persistence.EntityManagerFactory;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What comes between the steps of a JPA transaction, and what a server in trouble makes of them. */
class JpaRacesTest {

    private static final Duration BOUND = Duration.ofSeconds(20);
    private static final String APPLICATION = "&ApplicationName=holdfast-jpa";
    private static final String EXPIRED = "clock_timestamp() - interval '1 second'";

    private static final int POOL_WAIT_MILLIS = 2_000;

    private static PostgreSqlServer server;
    private static EntityManagerFactory factory;

    private final String name = "name-" + UUID.randomUUID();
    private final ExecutorService thread = Executors.newSingleThreadExecutor();

    @BeforeAll
    static void start() {
        server = PostgreSqlServer.start();
        Databases.createTable(server.url());
        HikariDataSource pool = JpaUnits.pool(server.url() + APPLICATION);
        pool.setConnectionTimeout(POOL_WAIT_MILLIS);
        pool.setValidationTimeout(POOL_WAIT_MILLIS / 2);
        factory = JpaUnits.opened("locks", pool);
    }

    @AfterAll
    static void stop() {
        factory.close();
        server.close();
    }

    @AfterEach
    void end() {
        thread.shutdownNow();
    }

    private static JpaLockProvider provider(Strategy strategy) {
        return JpaLockProvider.over(factory)
                .strategy(strategy)
                .timeout(Duration.ofSeconds(5))
                .build();
    }

    private void leaveAnExpiredRow(JpaLockProvider provider) {
        assertThat(Bidder.once(provider, name).granted()).isTrue();
        Databases.run(
                server.url(), "UPDATE holdfast_lock SET expires_at = " + EXPIRED + " WHERE name = '" + name + "'");
    }

    /** A transaction of somebody else that has done something and is not committed. */
    private static Connection uncommitted(String statementText) throws SQLException {
        Connection other = Databases.connect(server.url());
        other.setAutoCommit(false);
        try (Statement statement = other.createStatement()) {
            statement.execute(statementText);
        }
        return other;
    }

    private CompletableFuture<Boolean> bid(JpaLockProvider provider) {
        return CompletableFuture.supplyAsync(Bidder.once(provider, name)::granted, thread);
    }

    private static void awaitBlocked() {
        Waits.soon()
                .until(() -> !Databases.ask(
                                server.url(),
                                "SELECT 1 FROM pg_stat_activity WHERE application_name = 'holdfast-jpa'"
                                        + " AND wait_event_type = 'Lock'")
                        .isEmpty());
    }

    private void assertWorksAgain(JpaLockProvider provider) {
        Bidder next = Bidder.once(provider, name);
        Waits.answered().until(next::granted);
        assertThat(next.released()).isTrue();
    }

    @Proves("1.1")
    @Test
    void anOptimisticWriteOfARowThatHasChangedSinceIsContended() throws SQLException {
        try (JpaLockProvider provider = provider(Strategy.OPTIMISTIC)) {
            leaveAnExpiredRow(provider);
            try (Connection other =
                    uncommitted("UPDATE holdfast_lock SET version = version + 1 WHERE name = '" + name + "'")) {
                CompletableFuture<Boolean> bid = bid(provider);
                awaitBlocked();
                other.commit();
                assertThat(bid.join()).isFalse();
            }
            assertWorksAgain(provider);
        }
    }

    @Proves("1.1")
    @Test
    void anOptimisticWriteOfARowThatCameAnewIsContended() throws SQLException {
        try (JpaLockProvider provider = provider(Strategy.OPTIMISTIC)) {
            leaveAnExpiredRow(provider);
            String before = version();
            try (Connection other = uncommitted("DELETE FROM holdfast_lock WHERE name = '" + name + "'")) {
                CompletableFuture<Boolean> bid = bid(provider);
                awaitBlocked();
                other.commit();
                assertThat(bid.join()).isFalse();
            }
            Bidder next = Bidder.once(provider, name);
            assertThat(next.granted()).isTrue();
            assertThat(version()).isNotEqualTo(before);
            assertThat(next.released()).isTrue();
        }
    }

    private String version() {
        return Databases.ask(server.url(), "SELECT version FROM holdfast_lock WHERE name = '" + name + "'");
    }

    @Test
    void aPessimisticBidPassesOverARowThatIsLocked() throws SQLException {
        try (JpaLockProvider provider = provider(Strategy.PESSIMISTIC)) {
            leaveAnExpiredRow(provider);
            try (Connection other = uncommitted("SELECT * FROM holdfast_lock WHERE name = '" + name + "' FOR UPDATE")) {
                assertThat(bid(provider).join()).isFalse();
                other.rollback();
            }
            assertWorksAgain(provider);
        }
    }

    @ParameterizedTest
    @EnumSource
    void anInsertionThatAnotherHasMadeIsContended(Strategy strategy) throws SQLException {
        try (JpaLockProvider provider = provider(strategy)) {
            leaveAnExpiredRow(provider);
            Databases.run(server.url(), "CREATE TABLE IF NOT EXISTS copy AS SELECT * FROM holdfast_lock LIMIT 0");
            Databases.run(server.url(), "INSERT INTO copy SELECT * FROM holdfast_lock WHERE name = '" + name + "'");
            Databases.run(server.url(), "DELETE FROM holdfast_lock WHERE name = '" + name + "'");
            try (Connection other =
                    uncommitted("INSERT INTO holdfast_lock SELECT * FROM copy WHERE name = '" + name + "'")) {
                CompletableFuture<Boolean> bid = bid(provider);
                awaitBlocked();
                other.commit();
                assertThat(bid.join()).isFalse();
            }
            assertWorksAgain(provider);
        }
        assertThat(server.log()).contains("on conflict do nothing").doesNotContain("duplicate key");
    }

    @Proves("1.6")
    @ParameterizedTest
    @EnumSource
    void aCommitThatFailsIsAFailureAndNotContention(Strategy strategy) {
        Databases.run(
                server.url(),
                "CREATE OR REPLACE FUNCTION fail() RETURNS trigger AS"
                        + " 'BEGIN RAISE EXCEPTION ''too late'' USING ERRCODE = ''40001''; END' LANGUAGE plpgsql",
                "CREATE CONSTRAINT TRIGGER late AFTER INSERT ON holdfast_lock DEFERRABLE INITIALLY DEFERRED"
                        + " FOR EACH ROW WHEN (NEW.name = '" + name + "') EXECUTE FUNCTION fail()");
        try (JpaLockProvider provider = provider(strategy)) {
            assertThatThrownBy(Bidder.once(provider, name)::granted)
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("could not serialize it")
                    .hasMessageContaining("too late");
            Databases.run(server.url(), "DROP TRIGGER late ON holdfast_lock");
            assertWorksAgain(provider);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aTurnThatDoesNotComeIsAFailureAndNotContention(Strategy strategy) throws SQLException {
        try (JpaLockProvider provider = provider(strategy);
                Connection other = uncommitted("SELECT pg_advisory_xact_lock(" + LockKey.TURNS + ", "
                        + LockKey.of(name).turn() + ")")) {
            assertThatThrownBy(Bidder.once(provider, name)::granted)
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("acquire of lock '" + name + "'")
                    .hasMessageContaining("took too long");
            other.rollback();
            assertWorksAgain(provider);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRenewalThatHadToWaitDoesNotBringBackWhatEndedMeanwhile(Strategy strategy) throws SQLException {
        try (JpaLockProvider provider = provider(strategy)) {
            Bidder holder = Bidder.once(provider, name);
            assertThat(holder.granted()).isTrue();
            try (Connection other =
                    uncommitted("UPDATE holdfast_lock SET expires_at = " + EXPIRED + " WHERE name = '" + name + "'")) {
                CompletableFuture<Boolean> renewal = CompletableFuture.supplyAsync(holder::held, thread);
                awaitBlocked();
                other.commit();
                assertThat(renewal.join()).isFalse();
            }
            assertThat(holder.released()).isFalse();
        }
    }

    @Proves("3.2")
    @Test
    void aPessimisticRenewalThatHadToWaitDoesNotProlongWhatEndedOverThat() throws SQLException {
        try (JpaLockProvider provider = provider(Strategy.PESSIMISTIC)) {
            Bidder holder = Bidder.once(provider, name, Duration.ofSeconds(2));
            assertThat(holder.granted()).isTrue();
            try (Connection other = uncommitted("SELECT * FROM holdfast_lock WHERE name = '" + name + "' FOR UPDATE")) {
                CompletableFuture<Boolean> renewal = CompletableFuture.supplyAsync(holder::held, thread);
                awaitBlocked();
                Waits.soon()
                        .until(() -> Databases.ask(
                                        server.url(),
                                        "SELECT expires_at <= clock_timestamp() FROM holdfast_lock WHERE name = '"
                                                + name + "'")
                                .equals("t"));
                other.rollback();
                assertThat(renewal.join()).isFalse();
            }
            assertThat(holder.released()).isFalse();
        }
    }

    @Test
    void aKilledConnectionIsNamed() throws SQLException {
        try (JpaLockProvider provider = provider(Strategy.OPTIMISTIC)) {
            leaveAnExpiredRow(provider);
            try (Connection other = uncommitted("UPDATE holdfast_lock SET pid = pid WHERE name = '" + name + "'")) {
                CompletableFuture<Boolean> bid = bid(provider);
                awaitBlocked();
                Databases.run(
                        server.url(),
                        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                                + " WHERE application_name = 'holdfast-jpa' AND wait_event_type = 'Lock'");
                assertThatThrownBy(bid::join)
                        .cause()
                        .isInstanceOf(LockStoreException.class)
                        .hasMessageContaining("acquire of lock '" + name + "'")
                        .hasMessageContaining("ended the connection");
                other.rollback();
            }
            assertWorksAgain(provider);
        }
    }

    /** Stops a client before it writes its row; the rest of it goes on when the latch is counted down. */
    private static void stopBeforeTheWrite(RecordingDataSource source, CountDownLatch stopped, CountDownLatch goOn) {
        source.beforeEach(statement -> {
            if (statement.toLowerCase(Locale.ROOT).startsWith("insert into holdfast_lock")) {
                stopped.countDown();
                try {
                    assertThat(goOn.await(BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();
                } catch (InterruptedException end) {
                    throw new AssertionError(end);
                }
            }
        });
    }

    @Proves({"1.1", "6.1"})
    @Test
    void aClientThatStopsInTheMiddleLosesItsTurnAndIsNotGranted() throws Exception {
        CountDownLatch stopped = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        try (HikariDataSource pool = JpaUnits.pool(server.url())) {
            RecordingDataSource source = new RecordingDataSource(pool);
            try (EntityManagerFactory paused = JpaUnits.opened("locks", source.dataSource());
                    JpaLockProvider provider = JpaLockProvider.over(paused)
                            .timeout(Duration.ofSeconds(1))
                            .build();
                    JdbcLockProvider other = Databases.at(server.url())) {
                stopBeforeTheWrite(source, stopped, goOn);
                CompletableFuture<Boolean> bid = bid(provider);
                assertThat(stopped.await(BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();
                Bidder holder = Bidder.once(other, name);
                assertThat(holder.granted()).isTrue();
                goOn.countDown();
                assertThatThrownBy(bid::join).cause().isInstanceOf(LockStoreException.class);
                assertThat(holder.held()).isTrue();
                assertThat(holder.released()).isTrue();
            }
        }
    }

    @Proves("9.5")
    @Test
    void aPausedServerFailsTheCallInTime() {
        try (JpaLockProvider provider = provider(Strategy.PESSIMISTIC)) {
            assertWorksAgain(provider);
            Bidder bidder = Bidder.once(provider, "paused-" + name);
            long before = System.nanoTime();
            server.pause();
            try {
                assertThatThrownBy(bidder::granted).isInstanceOf(LockStoreException.class);
            } finally {
                server.resume();
            }
            assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(BOUND);
            assertWorksAgain(provider);
        }
    }

    @Proves({"6.3", "9.5"})
    @Test
    void locksAndTokensSurviveACrashOfTheServer() {
        try (JpaLockProvider provider = provider(Strategy.PESSIMISTIC)) {
            Bidder holder = Bidder.once(provider, name);
            long token = holder.token();
            server.kill();
            assertThatThrownBy(holder::held).isInstanceOf(LockStoreException.class);
            server.restart();
            Waits.answered().until(holder::held);
            Bidder rival = Bidder.once(provider, name);
            assertThat(rival.granted()).isFalse();
            assertThat(holder.released()).isTrue();
            assertThat(rival.token()).isGreaterThan(token);
            rival.released();
        }
    }
}
