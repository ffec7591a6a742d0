package io.holdfast.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.lock.LockCapabilities.WakeUp;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.parts.PoolWarnings;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A pool of the application with fewer connections than the locks would keep. */
@Tag("server")
class SmallPoolTest {

    private static final int ROUNDS = 5;
    private static final Duration PATIENCE_OF_THE_POOL = Duration.ofSeconds(20);
    private static final Duration BOUND = Duration.ofSeconds(60);

    private final String name = "name-" + UUID.randomUUID();
    private final HikariDataSource pool = new HikariDataSource();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void end() {
        threads.shutdownNow();
        pool.close();
    }

    private JdbcLockProvider.Builder overPoolOf(int size, String url) {
        pool.setJdbcUrl(url);
        pool.setMaximumPoolSize(size);
        pool.setConnectionTimeout(PATIENCE_OF_THE_POOL.toMillis());
        return JdbcLockProvider.over(pool).poolWait(PATIENCE_OF_THE_POOL);
    }

    private int idle() {
        return pool.getMaximumPoolSize() - pool.getHikariPoolMXBean().getActiveConnections();
    }

    /**
     * Each client waits while the other one holds the lock: it must not keep the connection that the other one's
     * transaction needs.
     */
    @Proves("7.2")
    @Test
    void lockAroundATransactionNeedsNoSecondConnection() throws Exception {
        JdbcLockProvider.Builder over = overPoolOf(1, Databases.SharedPostgreSql.URL);
        try (LockClient one = LockClient.builder(over.build()).build();
                LockClient other = LockClient.builder(over.build()).build()) {
            List<CompletableFuture<Integer>> workers = Stream.of(one, other)
                    .map(client -> CompletableFuture.supplyAsync(() -> transactionsUnderTheLock(client), threads))
                    .toList();
            for (CompletableFuture<Integer> worker : workers) {
                assertThat(worker.get(BOUND.toSeconds(), TimeUnit.SECONDS)).isEqualTo(ROUNDS);
            }
        }
    }

    private int transactionsUnderTheLock(LockClient client) {
        for (int round = 0; round < ROUNDS; round++) {
            try (LockHandle held = client.lock(name).acquire()) {
                transaction();
                assertThat(held.isHeld()).isTrue();
            } catch (InterruptedException | SQLException failure) {
                throw new CompletionException(failure);
            }
        }
        return ROUNDS;
    }

    private void transaction() throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("SELECT pg_sleep(0.05)");
            connection.commit();
        }
    }

    @Test
    void poolOfOneIsWarnedOfAndNoConnectionKept() {
        assertThat(PoolWarnings.of(() -> {
                    try (JdbcLockProvider provider =
                            overPoolOf(1, Databases.SharedPostgreSql.URL).build()) {
                        assertThat(TestClaim.once(provider, name).granted()).isTrue();
                        assertThat(idle()).isEqualTo(1);
                        assertThat(provider.capabilities().wakeUp()).isEqualTo(WakeUp.POLL);
                    }
                }))
                .singleElement()
                .asString()
                .contains("has at most 1 connections, and locks need 3", "None listens", "None is kept");
    }

    @Test
    void poolOfTwoIsWarnedOfAndNoConnectionListens() {
        assertThat(PoolWarnings.of(() -> {
                    try (JdbcLockProvider provider =
                            overPoolOf(2, Databases.SharedPostgreSql.URL).build()) {
                        assertThat(TestClaim.once(provider, name).granted()).isTrue();
                        assertThat(idle()).isEqualTo(1);
                        assertThat(provider.capabilities().wakeUp()).isEqualTo(WakeUp.POLL);
                    }
                }))
                .singleElement()
                .asString()
                .contains("has at most 2 connections, and locks need 3", "None listens")
                .doesNotContain("None is kept");
    }

    @Test
    void largeEnoughPoolIsNotWarnedOf() {
        assertThat(PoolWarnings.of(
                        () -> overPoolOf(2, Databases.SharedH2.URL).build().close()))
                .isEmpty();
    }

    @Test
    void poolOfTwoIsLargeEnoughForPollingInPostgreSql() {
        assertThat(PoolWarnings.of(() -> overPoolOf(2, Databases.SharedPostgreSql.URL)
                        .wakeUp(WakeUp.POLL)
                        .build()
                        .close()))
                .isEmpty();
    }

    @Test
    void poolOfThreeListens() {
        assertThat(PoolWarnings.of(() -> {
                    try (JdbcLockProvider provider =
                            overPoolOf(3, Databases.SharedPostgreSql.URL).build()) {
                        assertThat(provider.capabilities().wakeUp()).isEqualTo(WakeUp.PUSH);
                    }
                }))
                .isEmpty();
    }

    /** Its size is known by a method's name. */
    @Test
    void poolOfH2RevealsItsSize() {
        JdbcConnectionPool small = JdbcConnectionPool.create(Databases.SharedH2.URL, "", "");
        small.setMaxConnections(1);
        try {
            assertThat(PoolWarnings.of(
                            () -> JdbcLockProvider.over(small).build().close()))
                    .singleElement()
                    .asString()
                    .contains("has at most 1 connections, and locks need 2", "None is kept")
                    .doesNotContain("None listens");
        } finally {
            small.dispose();
        }
    }
}
