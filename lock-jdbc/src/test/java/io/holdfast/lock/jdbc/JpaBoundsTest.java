package io.holdfast.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.jdbc.jpa.JpaLockProvider;
import io.holdfast.lock.jdbc.jpa.JpaLockProvider.Strategy;
import io.holdfast.lock.jdbc.jpa.JpaSweeping;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import io.holdfast.parts.Waits;
import jakarta.persistence.EntityManagerFactory;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How long a client by JPA that stops or waits inside a transaction can block others, in PostgreSQL. */
@Tag("full")
@Tag("server")
class JpaBoundsTest {

    private static final String LOCKED_TOO_LONG = "a row was locked for too long";

    /** The server ends a client that stops for so long: the machine must not, in the calls that are to succeed. */
    private static final Duration LIMIT = Duration.ofSeconds(2);

    private final String url = Databases.newPostgreSql();
    private final String name = "name-" + UUID.randomUUID();
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private HikariDataSource pool;
    private RecordingDataSource source;
    private EntityManagerFactory factory;
    private JpaLockProvider provider;

    @BeforeEach
    void open() {
        pool = JpaUnits.pool(url);
        source = new RecordingDataSource(pool);
        factory = JpaUnits.opened("locks", source.dataSource());
        provider = JpaLockProvider.over(factory).timeout(LIMIT).build();
    }

    @AfterEach
    void close() {
        provider.close();
        factory.close();
        pool.close();
    }

    /** Stops the client before a commit or before a statement that contains a text, until the latch is counted down. */
    private void stopBefore(String words) {
        source.beforeEach(statement -> {
            if (statement.toLowerCase(Locale.ROOT).contains(words)) {
                stopped.countDown();
                await(goOn);
            }
        });
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(Waits.FAULT_BOUND.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
        } catch (InterruptedException end) {
            throw new AssertionError(end);
        }
    }

    /** Locks the row when nobody else has it locked, and fails if that takes far longer than the client's time limit. */
    private void assertRowBecomesFree() throws SQLException {
        try (Connection other = Databases.connect(url);
                Statement statement = other.createStatement()) {
            statement.execute("SET lock_timeout = '10s'");
            statement.execute("SELECT * FROM holdfast_lock WHERE name = '" + name + "' FOR UPDATE");
        }
    }

    @Proves({"1.1", "6.1"})
    @Test
    void clientThatStopsInAnAttemptIsOvertakenAndNotGranted() {
        try (JdbcLockProvider jdbc = Databases.at(url)) {
            stopBefore("insert into holdfast_lock");
            CompletableFuture<Boolean> attempt = CompletableFuture.supplyAsync(TestClaim.once(provider, name)::granted);
            await(stopped);
            TestClaim holder = TestClaim.once(jdbc, name);
            assertThat(holder.granted()).isTrue();
            goOn.countDown();
            assertThat(Waits.failure(attempt)).isInstanceOf(LockStoreException.class);
            assertThat(holder.held()).isTrue();
            assertThat(holder.released()).isTrue();
        }
    }

    @Test
    void clientThatStopsInARenewalLocksTheRowUntilItsTimeout() throws SQLException {
        TestClaim holder = TestClaim.once(provider, name);
        assertThat(holder.granted()).isTrue();
        stopBefore(RecordingDataSource.COMMIT);
        CompletableFuture<Boolean> renewal = CompletableFuture.supplyAsync(holder::held);
        await(stopped);
        assertRowBecomesFree();
        goOn.countDown();
        assertThat(Waits.failure(renewal)).isInstanceOf(LockStoreException.class);
        assertThat(holder.held()).isTrue();
    }

    @Test
    void clientThatStopsInAReleaseLocksTheRowUntilItsTimeout() throws SQLException {
        TestClaim holder = TestClaim.once(provider, name);
        assertThat(holder.granted()).isTrue();
        stopBefore(RecordingDataSource.COMMIT);
        CompletableFuture<Boolean> release = CompletableFuture.supplyAsync(holder::released);
        await(stopped);
        assertRowBecomesFree();
        goOn.countDown();
        assertThat(Waits.failure(release)).isInstanceOf(LockStoreException.class);
        assertThat(holder.held()).isTrue();
    }

    @Test
    void clientThatStopsInASweepLocksTheRowsBrieflyWhateverItsTimeout() throws SQLException {
        assertThat(TestClaim.once(provider, name).granted()).isTrue();
        Databases.expire(url, name, Duration.ofMinutes(2));
        stopBefore(RecordingDataSource.COMMIT);
        JpaLockProvider patient =
                JpaLockProvider.over(factory).timeout(Duration.ofMinutes(2)).build();
        CompletableFuture<Integer> sweep = CompletableFuture.supplyAsync(() -> JpaSweeping.sweep(patient));
        await(stopped);
        assertRowBecomesFree();
        goOn.countDown();
        assertThat(Waits.failure(sweep)).isInstanceOf(LockStoreException.class);
    }

    /** Neither a cancellation nor a time-out of the client's network comes first, however long the machine stands still. */
    private void leaveTheEndToTheServer() {
        source.loseCancellations();
        source.ignoreSilence();
    }

    private static Throwable failure(Supplier<?> call) {
        return Waits.failure(CompletableFuture.supplyAsync(call));
    }

    @Test
    void releaseWithoutCancellationFailsAtALockedRow() throws SQLException {
        TestClaim holder = TestClaim.once(provider, name);
        assertThat(holder.granted()).isTrue();
        leaveTheEndToTheServer();
        try (Connection other =
                JpaServer.uncommitted(url, "SELECT * FROM holdfast_lock WHERE name = '" + name + "' FOR UPDATE")) {
            assertThat(failure(holder::released))
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("release of lock '" + name + "'")
                    .hasMessageContaining(LOCKED_TOO_LONG);
            other.rollback();
        }
        assertThat(holder.released()).isTrue();
    }

    @Test
    void renewalWithoutCancellationFailsAtALockedTable() throws SQLException {
        TestClaim holder = TestClaim.once(provider, name);
        assertThat(holder.granted()).isTrue();
        leaveTheEndToTheServer();
        try (Connection other = JpaServer.uncommitted(url, "LOCK TABLE holdfast_lock IN EXCLUSIVE MODE")) {
            assertThat(failure(holder::held))
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("renewal of lock '" + name + "'")
                    .hasMessageContaining(LOCKED_TOO_LONG);
            other.rollback();
        }
        assertThat(holder.held()).isTrue();
    }

    @Proves("1.6")
    @ParameterizedTest
    @EnumSource
    void attemptAtALockedTableFailsAndIsNotContended(Strategy strategy) throws SQLException {
        leaveTheEndToTheServer();
        try (JpaLockProvider attempting = JpaLockProvider.over(factory)
                        .strategy(strategy)
                        .timeout(LIMIT)
                        .build();
                Connection other = JpaServer.uncommitted(url, "LOCK TABLE holdfast_lock IN EXCLUSIVE MODE")) {
            assertThat(failure(TestClaim.once(attempting, name)::granted))
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("acquire of lock '" + name + "'")
                    .hasMessageContaining(LOCKED_TOO_LONG);
            other.rollback();
        }
    }

    @Proves("1.6")
    @Test
    void attemptWithoutCancellationFailsAtAnUncommittedRow() throws SQLException {
        TestClaim other = TestClaim.once(provider, name);
        assertThat(other.granted()).isTrue();
        Databases.run(url, "CREATE TABLE copy AS SELECT * FROM holdfast_lock", "DELETE FROM holdfast_lock");
        leaveTheEndToTheServer();
        try (Connection inserting = JpaServer.uncommitted(url, "INSERT INTO holdfast_lock SELECT * FROM copy")) {
            assertThat(failure(TestClaim.once(provider, name)::granted))
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining(LOCKED_TOO_LONG);
            inserting.rollback();
        }
        assertThat(TestClaim.once(provider, name).granted()).isTrue();
    }

    @Proves("6.3")
    @Test
    void commitsAreDurableWhereTheServerCommitsLazily() {
        Databases.run(
                url,
                "CREATE FUNCTION forgetful() RETURNS trigger AS 'BEGIN IF current_setting(''synchronous_commit'') = ''off''"
                        + " THEN RAISE EXCEPTION ''forgetful''; END IF; RETURN COALESCE(NEW, OLD); END' LANGUAGE plpgsql",
                "CREATE TRIGGER forgetful BEFORE INSERT OR UPDATE OR DELETE ON holdfast_lock"
                        + " FOR EACH ROW EXECUTE FUNCTION forgetful()",
                "DO 'BEGIN EXECUTE ''ALTER DATABASE '' || current_database() || '' SET synchronous_commit = off''; END'");
        pool.getHikariPoolMXBean().softEvictConnections();
        assertThat(Databases.ask(url, "SHOW synchronous_commit")).isEqualTo("off");
        TestClaim holder = TestClaim.once(provider, name);
        assertThat(holder.granted()).isTrue();
        assertThat(holder.held()).isTrue();
        assertThat(holder.released()).isTrue();
    }
}
