package io.holdfast.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.lock.jdbc.jpa.JpaLockProvider;
import io.holdfast.lock.jdbc.jpa.JpaLockProvider.Strategy;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.parts.Proves;
import io.holdfast.parts.StoreAssertions;
import io.holdfast.parts.TestClaim;
import jakarta.persistence.EntityManagerFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Clients by JPA and by JDBC on one table. */
@Tag("server")
class JpaTogetherTest {

    private static final int ATTEMPTS = 60;

    private final String name = "name-" + UUID.randomUUID();

    /** One client holds the lock, the other one asks; returns the token. */
    private long keepsOut(LockProvider holding, LockProvider asking) {
        TestClaim holder = TestClaim.once(holding, name);
        TestClaim rival = TestClaim.once(asking, name);
        long token = holder.token();
        assertThat(rival.refused().retryAfter().orElseThrow())
                .isBetween(Duration.ofSeconds(1), TestClaim.LEASE.plusMillis(1));
        assertThat(asking.holder(name)).hasValueSatisfying(shown -> {
            assertThat(shown.host()).contains(TestClaim.CLAIMANT.host());
            assertThat(shown.fencingToken().orElseThrow().value()).isEqualTo(token);
        });
        assertThat(holder.held()).isTrue();
        assertThat(rival.granted()).isFalse();
        assertThat(rival.released()).isFalse();
        assertThat(holder.token()).isEqualTo(token);
        assertThat(holder.released()).isTrue();
        return token;
    }

    @Proves({"1.1", "6.1"})
    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.JpaUnits#all")
    void bothExcludeEachOtherAndShareGrowingTokens(String url, Strategy strategy) {
        List<Long> tokens = new ArrayList<>();
        try (LockProvider jdbc = Databases.at(url);
                LockProvider jpa = JpaUnits.at(url, strategy)) {
            for (int round = 0; round < 2; round++) {
                tokens.add(keepsOut(jdbc, jpa));
                tokens.add(keepsOut(jpa, jdbc));
            }
        }
        assertThat(tokens).isSorted().doesNotHaveDuplicates();
    }

    /** The lease of one ends, the other one takes the lock; returns the second token. */
    private long takesOver(String url, LockProvider late, LockProvider next) {
        TestClaim first = TestClaim.once(late, name);
        long token = first.token();
        Databases.run(
                url,
                "UPDATE holdfast_lock SET expires_at = CURRENT_TIMESTAMP - INTERVAL '1' SECOND WHERE name = '" + name
                        + "'");
        assertThat(first.held()).isFalse();
        TestClaim second = TestClaim.once(next, name);
        long newer = second.token();
        assertThat(newer).isGreaterThan(token);
        assertThat(first.held()).isFalse();
        assertThat(first.released()).isFalse();
        assertThat(second.released()).isTrue();
        return newer;
    }

    @Proves({"3.2", "5.2", "6.1"})
    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.JpaUnits#all")
    void expiredLeaseIsTakenOverByTheOtherAndNeverReturns(String url, Strategy strategy) {
        try (LockProvider jdbc = Databases.at(url);
                LockProvider jpa = JpaUnits.at(url, strategy)) {
            long first = takesOver(url, jdbc, jpa);
            assertThat(takesOver(url, jpa, jdbc)).isGreaterThan(first);
        }
    }

    /** CountedRows what only the holder of the lock may touch. */
    private final class Contest {
        private final AtomicLong highest = new AtomicLong();
        private final AtomicInteger inside = new AtomicInteger();
        private final AtomicInteger grants = new AtomicInteger();

        void attemptOften(LockProvider provider) {
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                TestClaim claim = TestClaim.once(provider, name);
                long token = claim.tokenOrZero();
                if (token > 0) {
                    assertThat(inside.incrementAndGet()).isEqualTo(1);
                    assertThat(highest.getAndSet(token)).isLessThan(token);
                    grants.incrementAndGet();
                    inside.decrementAndGet();
                    assertThat(claim.released()).isTrue();
                }
            }
        }
    }

    @Proves({"1.1", "6.1"})
    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.JpaUnits#urls")
    void tokensGrowUnderConcurrentAttemptsOfBoth(String url) {
        Contest contest = new Contest();
        try (LockProvider jdbc = Databases.at(url);
                LockProvider pessimistic = JpaUnits.at(url, Strategy.PESSIMISTIC);
                LockProvider optimistic = JpaUnits.at(url, Strategy.OPTIMISTIC)) {
            List<LockProvider> providers = List.of(jdbc, jdbc, pessimistic, pessimistic, optimistic, optimistic);
            ExecutorService threads = Executors.newFixedThreadPool(providers.size());
            try {
                List<CompletableFuture<Void>> runs = providers.stream()
                        .map(provider -> CompletableFuture.runAsync(() -> contest.attemptOften(provider), threads))
                        .toList();
                runs.forEach(CompletableFuture::join);
            } finally {
                threads.shutdownNow();
            }
        }
        assertThat(contest.grants).hasValueGreaterThan(ATTEMPTS / 10);
    }

    /** Each one delays the other, with each strategy. */
    private void overtakeEachOther(String url, Runnable slowDown, Callable<Boolean> hangs) throws Exception {
        try (HikariDataSource pool = JpaUnits.pool(url);
                EntityManagerFactory factory = JpaUnits.opened("locks", pool);
                JdbcLockProvider jdbc = Databases.at(url)) {
            for (Strategy strategy : Strategy.values()) {
                try (JpaLockProvider jpa =
                        JpaLockProvider.over(factory).strategy(strategy).build()) {
                    // The first use prepares statements, which must not slow down the fast client.
                    assertThat(TestClaim.once(jpa, name + strategy).granted()).isTrue();
                    slowDown.run();
                    TokenRaceTest.overtake(TestClaim.once(jpa, name), TestClaim.once(jdbc, name), hangs);
                    slowDown.run();
                    TokenRaceTest.overtake(TestClaim.once(jdbc, name), TestClaim.once(jpa, name), hangs);
                }
            }
        }
    }

    @Proves("6.1")
    @Test
    void delayedAttemptIsNotOvertakenByTheOtherInPostgreSql() throws Exception {
        String url = Databases.newPostgreSql();
        Databases.run(
                url,
                "CREATE SEQUENCE slow_first",
                "CREATE FUNCTION slow() RETURNS trigger AS 'BEGIN IF nextval(''slow_first'') = 1 THEN"
                        + " PERFORM pg_sleep(0.5); END IF; RETURN NEW; END' LANGUAGE plpgsql",
                "CREATE TRIGGER slow BEFORE INSERT ON holdfast_lock FOR EACH ROW EXECUTE FUNCTION slow()");
        overtakeEachOther(
                url,
                () -> Databases.run(url, "ALTER SEQUENCE slow_first RESTART"),
                () -> Databases.ask(url, "SELECT is_called FROM slow_first").equals("t"));
    }

    @Proves("6.1")
    @Test
    void delayedAttemptIsNotOvertakenByTheOtherInH2() throws Exception {
        String url = Databases.newH2();
        Databases.run(
                url,
                "CREATE TRIGGER slow BEFORE INSERT ON holdfast_lock FOR EACH ROW CALL '"
                        + TokenRaceTest.SlowInsertion.class.getName() + "'");
        overtakeEachOther(url, () -> TokenRaceTest.SLOW.set(1), () -> TokenRaceTest.SLOW.get() == 2);
    }

    @Proves("7.2")
    @ParameterizedTest
    @EnumSource
    void releaseByJpaWakesJdbcWaiterInPostgreSql(Strategy strategy) {
        String url = Databases.SharedPostgreSql.URL;
        try (JpaLockProvider jpa = JpaUnits.at(url, strategy);
                JdbcLockProvider jdbc = Databases.at(url)) {
            TestClaim holder = TestClaim.once(jpa, name);
            assertThat(holder.granted()).isTrue();
            StoreAssertions.assertReleaseWakes(jdbc, holder, name);
        }
    }
}
