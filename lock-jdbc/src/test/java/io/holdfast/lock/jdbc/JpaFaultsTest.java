package io.holdfast.lock.jdbc;

import static io.holdfast.parts.StoreAssertions.assertWorksAgain;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.jdbc.jpa.JpaLockProvider;
import io.holdfast.lock.jdbc.jpa.JpaLockProvider.Strategy;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import io.holdfast.parts.Waits;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Operations by JPA on a server in trouble. */
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("server of JpaFaultsTest")
@Tag("server")
class JpaFaultsTest {

    private static JpaServer server;

    private final String name = "name-" + UUID.randomUUID();

    @BeforeAll
    static void start() {
        server = JpaServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Proves("1.6")
    @ParameterizedTest
    @EnumSource
    void failedCommitIsAFailureAndNotContention(Strategy strategy) {
        Databases.run(
                server.url(),
                "CREATE OR REPLACE FUNCTION fail() RETURNS trigger AS"
                        + " 'BEGIN RAISE EXCEPTION ''too late'' USING ERRCODE = ''40001''; END' LANGUAGE plpgsql",
                "CREATE CONSTRAINT TRIGGER late AFTER INSERT ON holdfast_lock DEFERRABLE INITIALLY DEFERRED"
                        + " FOR EACH ROW WHEN (NEW.name = '" + name + "') EXECUTE FUNCTION fail()");
        try (JpaLockProvider provider = server.provider(strategy)) {
            assertThatThrownBy(TestClaim.once(provider, name)::granted)
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("could not serialize it")
                    .hasMessageContaining("too late");
            Databases.run(server.url(), "DROP TRIGGER late ON holdfast_lock");
            assertWorksAgain(provider, name);
        }
    }

    @Test
    void killedConnectionIsReported() throws SQLException {
        try (JpaLockProvider provider = server.provider(Strategy.OPTIMISTIC)) {
            server.leaveAnExpiredRow(provider, name);
            try (Connection other =
                    server.uncommitted("UPDATE holdfast_lock SET pid = pid WHERE name = '" + name + "'")) {
                CompletableFuture<Boolean> attempt =
                        CompletableFuture.supplyAsync(TestClaim.once(provider, name)::granted);
                server.awaitBlocked();
                server.killTheBlocked();
                assertThat(Waits.failure(attempt))
                        .isInstanceOf(LockStoreException.class)
                        .hasMessageContaining("acquire of lock '" + name + "'")
                        .hasMessageContaining("ended the connection");
                other.rollback();
            }
            assertWorksAgain(provider, name);
        }
    }

    @Proves("9.5")
    @Test
    void pausedServerFailsTheCallInTime() {
        try (JpaLockProvider provider = JpaLockProvider.over(server.factory())
                .timeout(Duration.ofSeconds(1))
                .build()) {
            // The time-outs of the statement, of its cancellation and of the pool, on a slow machine.
            DatabaseOutages.assertPauseFailsTheCall(provider, server.server(), name, Duration.ofSeconds(9));
        }
    }

    @Proves({"1.6", "7.1", "9.5"})
    @Test
    @Tag("full")
    void waiterBehindAnotherFailsWhileTheServerIsPaused() throws InterruptedException {
        try (JdbcLockProvider other = Databases.at(server.url());
                JpaLockProvider provider = JpaLockProvider.over(server.factory())
                        .timeout(Duration.ofSeconds(1))
                        .build()) {
            DatabaseOutages.assertWaitersFailWhile(DatabaseOutages.pause(server.server()), provider, other, name);
        }
    }

    @Proves({"6.3", "9.5"})
    @Test
    void locksAndTokensSurviveServerCrash() {
        try (JpaLockProvider provider = server.provider(Strategy.PESSIMISTIC)) {
            DatabaseOutages.assertLocksAndTokensSurviveCrash(provider, server.server(), name);
        }
    }
}
