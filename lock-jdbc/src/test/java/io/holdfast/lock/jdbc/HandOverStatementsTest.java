package io.holdfast.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockOptions;
import io.holdfast.parts.Proves;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The statements of a hand-over from one thread to another of the same client. */
@Tag("server")
class HandOverStatementsTest {

    private static final int THREADS = 8;
    private static final int ROUNDS = 50;

    @Test
    @Proves("7.5")
    void handOverByTheStoreCostsOneReleaseAndOneAttempt() throws Exception {
        // Each acquire of a thread, and the first waiters' attempts before there is a hand-over.
        assertThat(statementsWith(LockOptions.DEFAULTS.withHandOver(0)))
                .isBetween(2 * THREADS * ROUNDS, 2 * THREADS * ROUNDS + 5 * THREADS);
    }

    @Test
    @Proves("7.7")
    void lockIsPassedOnWithoutAStatement() throws Exception {
        assertThat(statementsWith(LockOptions.DEFAULTS)).isLessThan(THREADS * ROUNDS / 2);
    }

    /** The number of statements while all threads use one lock in turns. */
    private static int statementsWith(LockOptions options) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        // A thread that begins long before the others has nobody to pass the lock on to.
        CyclicBarrier together = new CyclicBarrier(THREADS);
        String name = "name-" + UUID.randomUUID();
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setJdbcUrl(Databases.SharedPostgreSql.URL);
            RecordingDataSource recording = new RecordingDataSource(pool);
            try (LockClient client = LockClient.builder(
                            JdbcLockProvider.over(recording.dataSource()).build())
                    .defaults(options)
                    .build()) {
                client.lock(name).acquire().close();
                recording.statements().clear();

                List<Future<?>> users = Stream.<Future<?>>generate(() -> threads.submit(() -> {
                            together.await();
                            return use(client, name);
                        }))
                        .limit(THREADS)
                        .toList();
                for (Future<?> user : users) {
                    user.get(60, TimeUnit.SECONDS);
                }
                return recording.statements().size();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static Void use(LockClient client, String name) throws InterruptedException {
        for (int i = 0; i < ROUNDS; i++) {
            try (LockHandle held = client.lock(name).acquire()) {
                assertThat(held.isHeld()).isTrue();
            }
        }
        return null;
    }
}
