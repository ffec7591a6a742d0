package io.holdfast.lock.jdbc;

import static io.holdfast.parts.StoreAssertions.assertWorksAgain;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.jdbc.jpa.JpaLockProvider;
import io.holdfast.lock.jdbc.jpa.JpaLockProvider.Strategy;
import io.holdfast.lock.jdbc.table.LockKey;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import io.holdfast.parts.Waits;
import jakarta.persistence.EntityManagerFactory;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Changes by others between the steps of an attempt by JPA. */
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("server of JpaRacesTest")
@Tag("server")
class JpaRacesTest {

    private static JpaServer server;

    private final String name = "name-" + UUID.randomUUID();
    private final ExecutorService thread = Executors.newSingleThreadExecutor();

    @BeforeAll
    static void start() {
        server = JpaServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @AfterEach
    void end() {
        thread.shutdownNow();
    }

    private CompletableFuture<Boolean> attempt(JpaLockProvider provider) {
        return CompletableFuture.supplyAsync(TestClaim.once(provider, name)::granted, thread);
    }

    @Proves("1.1")
    @Test
    void optimisticWriteOfAChangedRowIsContended() throws SQLException {
        try (JpaLockProvider provider = server.provider(Strategy.OPTIMISTIC)) {
            server.leaveAnExpiredRow(provider, name);
            try (Connection other =
                    server.uncommitted("UPDATE holdfast_lock SET version = version + 1 WHERE name = '" + name + "'")) {
                CompletableFuture<Boolean> attempt = attempt(provider);
                server.awaitBlocked();
                other.commit();
                assertThat(attempt.join()).isFalse();
            }
            assertWorksAgain(provider, name);
        }
    }

    @Proves("1.1")
    @Test
    void optimisticWriteOfADeletedRowIsContended() throws SQLException {
        try (JpaLockProvider provider = server.provider(Strategy.OPTIMISTIC)) {
            server.leaveAnExpiredRow(provider, name);
            try (Connection other = server.uncommitted("DELETE FROM holdfast_lock WHERE name = '" + name + "'")) {
                CompletableFuture<Boolean> attempt = attempt(provider);
                server.awaitBlocked();
                other.commit();
                assertThat(attempt.join()).isFalse();
            }
            assertWorksAgain(provider, name);
        }
    }

    @Proves("1.6")
    @Test
    void deadlockIsAFailureAndNotContention() throws SQLException {
        try (JpaLockProvider provider = server.provider(Strategy.OPTIMISTIC)) {
            server.leaveAnExpiredRow(provider, name);
            // The server looks for a deadlock only once, a second after the attempt began to wait
            // for the row. So the other transaction waits for the attempt's lock before that:
            // behind the attempt, and both behind a third one.
            try (Connection third = server.uncommitted(lockingTheName());
                    Connection other = Databases.connect(server.url())) {
                other.setAutoCommit(false);
                CompletableFuture<Boolean> attempt = attempt(provider);
                server.awaitBlocked();
                FenceRaces.Waiting waiting = FenceRaces.waiting(server.url(), other, () -> lockRowAndName(other));
                waiting.requireBlocked();
                third.rollback();
                assertThat(Waits.failure(attempt))
                        .isInstanceOf(LockStoreException.class)
                        .hasMessageContainingAll("acquire of lock '" + name + "'", "resolve a deadlock");
                waiting.requireDone();
                other.rollback();
            }
            assertWorksAgain(provider, name);
        }
    }

    private String lockingTheName() {
        return "SELECT pg_advisory_xact_lock(" + LockKey.ADVISORY_CLASS + ", "
                + LockKey.of(name).advisoryId() + ")";
    }

    private void lockRowAndName(Connection other) throws SQLException {
        try (Statement statement = other.createStatement()) {
            // So the attempt detects the deadlock, and is ended.
            statement.execute("SET deadlock_timeout = '60s'");
            statement.execute("UPDATE holdfast_lock SET pid = pid WHERE name = '" + name + "'");
            statement.execute(lockingTheName());
        }
    }

    @Test
    void pessimisticAttemptSkipsALockedRow() throws SQLException {
        try (JpaLockProvider provider = server.provider(Strategy.PESSIMISTIC)) {
            server.leaveAnExpiredRow(provider, name);
            try (Connection other =
                    server.uncommitted("SELECT * FROM holdfast_lock WHERE name = '" + name + "' FOR UPDATE")) {
                assertThat(attempt(provider).join()).isFalse();
                other.rollback();
            }
            assertWorksAgain(provider, name);
        }
    }

    @ParameterizedTest
    @EnumSource
    void insertionThatAnotherClientMadeIsContended(Strategy strategy) throws SQLException {
        try (JpaLockProvider provider = server.provider(strategy)) {
            server.leaveAnExpiredRow(provider, name);
            Databases.run(server.url(), "CREATE TABLE IF NOT EXISTS copy AS SELECT * FROM holdfast_lock LIMIT 0");
            Databases.run(server.url(), "INSERT INTO copy SELECT * FROM holdfast_lock WHERE name = '" + name + "'");
            Databases.run(server.url(), "DELETE FROM holdfast_lock WHERE name = '" + name + "'");
            try (Connection other =
                    server.uncommitted("INSERT INTO holdfast_lock SELECT * FROM copy WHERE name = '" + name + "'")) {
                CompletableFuture<Boolean> attempt = attempt(provider);
                server.awaitBlocked();
                other.commit();
                assertThat(attempt.join()).isFalse();
            }
            assertWorksAgain(provider, name);
        }
        assertThat(server.server().log()).contains("on conflict do nothing").doesNotContain("duplicate key");
    }

    @ParameterizedTest
    @EnumSource
    void attemptThatWaitsTooLongForTheTokenFailsAndIsNotContended(Strategy strategy) throws SQLException {
        try (HikariDataSource pool = JpaUnits.pool(server.url())) {
            RecordingDataSource source = new RecordingDataSource(pool);
            // Otherwise a cancellation that comes a second late on a slow machine is not waited for.
            source.ignoreSilence();
            try (EntityManagerFactory factory = JpaUnits.opened("locks", source.dataSource());
                    JpaLockProvider provider = JpaLockProvider.over(factory)
                            .strategy(strategy)
                            .timeout(Duration.ofSeconds(1))
                            .build();
                    Connection other = server.uncommitted(lockingTheName())) {
                assertThat(Waits.failure(attempt(provider)))
                        .isInstanceOf(LockStoreException.class)
                        .hasMessageContaining("acquire of lock '" + name + "'")
                        .hasMessageContaining("took too long");
                other.rollback();
            }
        }
        try (JpaLockProvider provider = server.provider(strategy)) {
            assertWorksAgain(provider, name);
        }
    }
}
