package io.holdfast.lock.jdbc;

import static io.holdfast.parts.StoreAssertions.assertWorksAgain;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockListener;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import io.holdfast.parts.Waits;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A pool that the application uses as well, and empties. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("server")
class SharedPoolTest {

    private static final int SIZE = 5;

    /** The default of a pool. */
    private static final Duration PATIENCE_OF_THE_POOL = Duration.ofSeconds(30);

    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final LockOptions BRIEF = LockOptions.DEFAULTS.withLeaseTime(Duration.ofSeconds(4));

    private final String name = "name-" + UUID.randomUUID();
    private final HikariDataSource pool = new HikariDataSource();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void end() {
        threads.shutdownNow();
        pool.close();
    }

    private DataSource poolOf(int size, String url) {
        pool.setJdbcUrl(url);
        pool.setMaximumPoolSize(size);
        pool.setConnectionTimeout(PATIENCE_OF_THE_POOL.toMillis());
        return pool;
    }

    private int idle() {
        return pool.getMaximumPoolSize() - pool.getHikariPoolMXBean().getActiveConnections();
    }

    /** Takes all free connections. */
    private List<Connection> takeTheRest() throws SQLException {
        List<Connection> taken = new ArrayList<>();
        for (int left = idle(); left > 0; left--) {
            taken.add(pool.getConnection());
        }
        return taken;
    }

    private static void giveBack(List<Connection> taken) throws SQLException {
        for (Connection each : taken) {
            each.close();
        }
    }

    @Proves("3.4")
    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#all")
    void emptyPoolStopsNoRenewalsAndReleases(String url) throws Exception {
        AtomicInteger renewals = new AtomicInteger();
        LockListener counting = new LockListener() {
            @Override
            public void renewed(LockEvent event) {
                renewals.incrementAndGet();
            }
        };
        JdbcLockProvider provider = JdbcLockProvider.over(poolOf(SIZE, url)).build();
        try (LockClient client = LockClient.builder(provider).listener(counting).build()) {
            LockHandle held = client.lock(name, BRIEF).acquire();
            LockHandle other = client.lock(name + "-2", BRIEF).acquire();
            // An early renewal may use another one for a moment.
            Waits.soon()
                    .untilAsserted(() -> assertThat(idle())
                            .as("one connection for all locks")
                            .isEqualTo(SIZE - 1));
            List<Connection> taken = takeTheRest();
            // Four each: longer than a lease.
            Waits.soon().until(() -> renewals.get() >= 8);
            assertThat(held.release()).isTrue();
            assertThat(other.release()).isTrue();
            giveBack(taken);
            Waits.soon().until(() -> idle() == SIZE);
        }
        assertThat(pool.isClosed()).isFalse();
    }

    /** Each uses the kept connection, one after the other. */
    @Proves("5.4")
    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#all")
    void concurrentReleasesNeedNoPool(String url) throws Exception {
        try (JdbcLockProvider provider = JdbcLockProvider.over(poolOf(SIZE, url))
                .poolWait(PATIENCE_OF_THE_POOL)
                .build()) {
            List<TestClaim> holders = IntStream.range(0, 20)
                    .mapToObj(i -> TestClaim.once(provider, name + i))
                    .toList();
            assertThat(holders).allMatch(TestClaim::granted);
            List<Connection> taken = takeTheRest();
            List<CompletableFuture<Boolean>> releases = holders.stream()
                    .map(holder -> CompletableFuture.supplyAsync(holder::released, threads))
                    .toList();
            Waits.soon().until(() -> releases.stream().allMatch(CompletableFuture::isDone));
            assertThat(releases).allMatch(CompletableFuture::join);
            giveBack(taken);
        }
    }

    /** Where a database only counts the renewed rows, a second statement asks which are lost. */
    @Proves("3.6")
    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#all")
    void renewalWithALostLockNeedsNoPool(String url) throws SQLException {
        try (JdbcLockProvider provider =
                JdbcLockProvider.over(poolOf(SIZE, url)).build()) {
            TestClaim holder = TestClaim.once(provider, name);
            TestClaim loser = TestClaim.once(provider, name + "-2");
            assertThat(holder.granted() && loser.granted()).isTrue();
            Databases.expire(url, name + "-2", Duration.ofSeconds(1));
            List<Connection> taken = takeTheRest();
            List<Renewal> renewals = provider.renewAll(List.of(holder.claim, loser.claim));
            assertThat(renewals.get(0)).isInstanceOf(Renewal.Held.class);
            assertThat(renewals.get(1)).isEqualTo(new Renewal.Lost(LossCause.TAKEN_OVER));
            assertThat(holder.released()).isTrue();
            giveBack(taken);
        }
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#all")
    void noConnectionIsKeptWhileNoLockIsHeld(String url) {
        try (JdbcLockProvider provider =
                        JdbcLockProvider.over(poolOf(SIZE, url)).build();
                JdbcLockProvider elsewhere = Databases.at(url)) {
            assertThat(provider.holder(name)).isEmpty();
            assertThat(idle()).isEqualTo(SIZE);
            assertThat(TestClaim.once(elsewhere, name).granted()).isTrue();
            assertThat(TestClaim.once(provider, name).granted()).isFalse();
            assertThat(idle()).isEqualTo(SIZE);
        }
    }

    /** The provider's own pool has one connection more than the setting: the kept one. */
    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#all")
    void ownPoolOfOneAcquiresWhileALockIsHeld(String url) {
        try (JdbcLockProvider provider = Databases.at(url, "poolSize", "1")) {
            assertThat(TestClaim.once(provider, name).granted()).isTrue();
            assertThat(TestClaim.once(provider, name + "-2").granted()).isTrue();
        }
    }

    /** A lost lock is never released. */
    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#all")
    void lostLockGivesTheConnectionBack(String url) {
        try (JdbcLockProvider provider =
                JdbcLockProvider.over(poolOf(SIZE, url)).build()) {
            TestClaim loser = TestClaim.once(provider, name);
            assertThat(loser.granted()).isTrue();
            Databases.expire(url, name, Duration.ofSeconds(1));
            assertThat(loser.claim.renew()).isEqualTo(new Renewal.Lost(LossCause.TAKEN_OVER));
            assertThat(idle()).isEqualTo(SIZE);
            assertThat(loser.released()).isFalse();
        }
    }

    /** A call that waits for the pool gets the connection as soon as it goes back. */
    @Proves("5.4")
    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#all")
    void lastLockIsReleasedBeforeItsConnectionGoesBack(String url) throws Exception {
        try (JdbcLockProvider provider =
                JdbcLockProvider.over(poolOf(SIZE, url)).build()) {
            TestClaim holder = TestClaim.once(provider, name);
            assertThat(holder.granted()).isTrue();
            List<Connection> taken = takeTheRest();
            CompletableFuture<Connection> request = new CompletableFuture<>();
            threads.execute(() -> {
                try {
                    request.complete(pool.getConnection());
                } catch (SQLException failure) {
                    request.completeExceptionally(failure);
                }
            });
            Waits.soon().until(() -> pool.getHikariPoolMXBean().getThreadsAwaitingConnection() == 1);
            assertThat(holder.released()).isTrue();
            Waits.soon().until(request::isDone);
            taken.add(request.join());
            giveBack(taken);
        }
    }

    /** The engine drops a claim whose release the database never answers, without a call. */
    @Test
    void nextReleaseGivesBackTheConnectionOfADroppedClaim() {
        try (JdbcLockProvider provider =
                JdbcLockProvider.over(poolOf(SIZE, Databases.SharedH2.URL)).build()) {
            assertThat(TestClaim.once(provider, name).granted()).isTrue();
            assertThat(idle()).isEqualTo(SIZE - 1);
            Waits.soon().until(() -> {
                System.gc();
                assertWorksAgain(provider, name + "-works");
                return idle() == SIZE;
            });
        }
    }

    @Proves("9.5")
    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#all")
    void mutuallyBlockingRequestsFailSoonWithAdvice(String url) throws Exception {
        DataSource source = poolOf(SIZE, url);
        // The first connection may take longer than the provider is to wait.
        source.getConnection().close();
        try (JdbcLockProvider provider =
                JdbcLockProvider.over(source).poolWait(PATIENCE).build()) {
            List<Connection> requests = takeTheRest();
            List<CompletableFuture<Boolean>> acquires = IntStream.range(0, SIZE)
                    .mapToObj(i -> CompletableFuture.supplyAsync(TestClaim.once(provider, name + i)::granted, threads))
                    .toList();
            for (CompletableFuture<Boolean> acquire : acquires) {
                assertThat(Waits.failure(acquire))
                        .isInstanceOf(LockStoreException.class)
                        .hasMessageContainingAll(
                                "the pool is exhausted",
                                "within 2000 ms (active=5, idle=0, waiting=",
                                "acquire before the transaction begins");
            }
            giveBack(requests);
            // Callers that still wait for the pool get a connection and give it back.
            Waits.soon().until(() -> idle() == SIZE);
            assertWorksAgain(provider, name + "-works");
        }
    }
}
