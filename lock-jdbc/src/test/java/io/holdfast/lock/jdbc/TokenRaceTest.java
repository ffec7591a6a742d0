package io.holdfast.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import io.holdfast.parts.Waits;
import io.holdfast.servers.MariaDbServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.h2.api.Trigger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A token drawn early must not be granted late. */
@Tag("server")
class TokenRaceTest {

    private static final int THREADS = 6;
    private static final int ATTEMPTS = 150;
    static final AtomicInteger SLOW = new AtomicInteger();

    /** Delays the insertion of a slow name, after its values were computed and before the row exists. */
    public static final class SlowInsertion implements Trigger {
        @Override
        public void fire(Connection connection, Object[] before, Object[] after) throws SQLException {
            if (SLOW.compareAndSet(1, 2)) {
                Waits.letPass(java.time.Duration.ofMillis(500));
            }
        }
    }

    @Proves("6.1")
    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#all")
    void tokensGrowUnderConcurrentAttempts(String url) {
        String name = "name-" + UUID.randomUUID();
        AtomicLong highest = new AtomicLong();
        AtomicInteger grants = new AtomicInteger();
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try (JdbcLockProvider provider = Databases.at(url)) {
            List<CompletableFuture<Void>> runs = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                runs.add(CompletableFuture.runAsync(
                        () -> {
                            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                                TestClaim claim = TestClaim.once(provider, name);
                                if (claim.claim.attempt() instanceof io.holdfast.lock.spi.Attempt.Granted granted) {
                                    long token =
                                            granted.fencingToken().orElseThrow().value();
                                    assertThat(highest.getAndSet(token)).isLessThan(token);
                                    grants.incrementAndGet();
                                    assertThat(claim.released()).isTrue();
                                }
                            }
                        },
                        threads));
            }
            runs.forEach(CompletableFuture::join);
        } finally {
            threads.shutdownNow();
        }
        assertThat(grants).hasValueGreaterThan(THREADS);
    }

    /** New databases whose tokens depend on the clock: their tokens will be an hour ahead. */
    static Stream<String> clocked() {
        return MariaDbServer.isAvailable()
                ? Stream.of(Databases.newH2(), Databases.newMariaDb())
                : Stream.of(Databases.newH2());
    }

    /** As if a clock that was an hour ahead has been corrected. A sweep must keep the counters. */
    @Proves("6.1")
    @ParameterizedTest
    @MethodSource("clocked")
    void tokensKeepGrowingAfterTheClockIsSetBack(String url) {
        String name = "name-" + UUID.randomUUID();
        String ahead = url.startsWith("jdbc:h2:")
                ? "UPDATE holdfast_lock_token SET token = token + 3600000000"
                : "UPDATE holdfast_lock SET token = token + 3600000000 WHERE name_hash LIKE '#%'";
        try (JdbcLockProvider provider = Databases.at(url)) {
            TestClaim first = TestClaim.once(provider, name);
            long token = first.token();
            assertThat(first.released()).isTrue();
            Databases.run(url, ahead);
            provider.records().sweep();
            TestClaim second = TestClaim.once(provider, name);
            assertThat(second.token()).isGreaterThan(token + 3_600_000_000L);
            assertThat(second.released()).isTrue();
        }
    }

    @Proves("6.1")
    @Test
    void delayedAttemptIsNotOvertakenInPostgreSql() throws Exception {
        String url = Databases.SharedPostgreSql.URL;
        String name = "slow-" + UUID.randomUUID();
        Databases.run(
                url,
                "CREATE TABLE slow_lock (LIKE holdfast_lock INCLUDING ALL)",
                "CREATE SEQUENCE slow_lock_token",
                "CREATE SEQUENCE slow_first",
                "CREATE FUNCTION slow() RETURNS trigger AS 'BEGIN IF nextval(''slow_first'') = 1 THEN"
                        + " PERFORM pg_sleep(0.5); END IF; RETURN NEW; END' LANGUAGE plpgsql",
                "CREATE TRIGGER slow BEFORE INSERT ON slow_lock FOR EACH ROW EXECUTE FUNCTION slow()");
        try (JdbcLockProvider provider = Databases.at(url, "table", "slow_lock")) {
            overtake(
                    TestClaim.once(provider, name),
                    TestClaim.once(provider, name),
                    () -> Databases.ask(url, "SELECT is_called FROM slow_first").equals("t"));
        }
    }

    @Proves("6.1")
    @Test
    void delayedAttemptIsNotOvertakenInH2() throws Exception {
        String url = Databases.newH2();
        String name = "slow-" + UUID.randomUUID();
        Databases.run(
                url,
                "CREATE TRIGGER slow BEFORE INSERT ON holdfast_lock FOR EACH ROW CALL '" + SlowInsertion.class.getName()
                        + "'");
        SLOW.set(1);
        try (JdbcLockProvider provider = Databases.at(url)) {
            overtake(TestClaim.once(provider, name), TestClaim.once(provider, name), () -> SLOW.get() == 2);
        }
    }

    /** The first attempt stops between its token and its row; the second one tries to overtake it. */
    static void overtake(TestClaim slow, TestClaim fast, java.util.concurrent.Callable<Boolean> stopped)
            throws Exception {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try {
            CompletableFuture<Long> late = CompletableFuture.supplyAsync(slow::tokenOrZero, thread);
            Waits.soon().until(stopped);
            long token = fast.tokenOrZero();
            fast.claim.release();
            assertThat(late.get() + token).as("one of them was granted").isPositive();
            assertThat(late.get() == 0 || token == 0 || late.get() > token)
                    .as("the token %s was granted after %s", late.get(), token)
                    .isTrue();
        } finally {
            thread.shutdownNow();
            slow.claim.release();
        }
    }
}
