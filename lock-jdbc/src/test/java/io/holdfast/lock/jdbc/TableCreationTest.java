package io.holdfast.lock.jdbc;

import static io.holdfast.parts.StoreAssertions.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.jdbc.JdbcLockProvider.Database;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import io.holdfast.parts.Waits;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The creation of the table, also while the database is down. */
class TableCreationTest {

    private static final int CALLERS = 8;

    /** Waiting for a connection, or for the caller that waits for one. */
    private static final Set<Thread.State> WAITING = Set.of(Thread.State.WAITING, Thread.State.TIMED_WAITING);

    private final String name = "name-" + UUID.randomUUID();
    private final String url = Databases.h2();
    private final AtomicInteger asked = new AtomicInteger();
    private final CountDownLatch timeOut = new CountDownLatch(1);
    private volatile boolean down = true;
    private final List<Thread> threads = new ArrayList<>();

    @AfterEach
    void end() {
        timeOut.countDown();
        threads.forEach(Thread::interrupt);
    }

    /** A data source whose database is down: each call waits for the time-out. */
    private DataSource source() {
        return (DataSource) Proxy.newProxyInstance(
                DataSource.class.getClassLoader(), new Class<?>[] {DataSource.class}, (source, method, arguments) -> {
                    if (!method.getName().equals("getConnection")) {
                        return false;
                    }
                    if (down) {
                        asked.incrementAndGet();
                        timeOut.await();
                        throw new SQLException("no connection within the time-out", "08001");
                    }
                    return Databases.connect(url);
                });
    }

    private CompletableFuture<Boolean> attempt(JdbcLockProvider provider) {
        CompletableFuture<Boolean> outcome = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                outcome.complete(TestClaim.once(provider, name).granted());
            } catch (RuntimeException failure) {
                outcome.completeExceptionally(failure);
            }
        });
        threads.add(thread);
        thread.start();
        return outcome;
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#newOfAll")
    @Tag("server")
    void missingTableIsCreatedAgainByTheNextCall(String database) {
        try (JdbcLockProvider provider = Databases.at(database, Databases.PROPERTIES);
                JdbcLockProvider mayNot = Databases.at(database)) {
            assertThat(TestClaim.once(provider, name).granted()).isTrue();
            assertThat(TestClaim.once(mayNot, name).granted()).isFalse();
            Databases.run(database, "DROP TABLE holdfast_lock");
            for (int i = 0; i < 2; i++) {
                assertFails(TestClaim.once(mayNot, name)::granted, "missing: run the shipped script");
            }
            assertFails(TestClaim.once(provider, name)::granted, "missing: run the shipped script");
            assertThat(TestClaim.once(provider, name).granted()).isTrue();
            assertThat(TestClaim.once(mayNot, name).granted()).isFalse();
        }
    }

    @Proves("9.5")
    @Test
    void concurrentCallersWaitForOneTimeOutAndShareTheFailure() {
        try (JdbcLockProvider provider = JdbcLockProvider.over(source())
                .database(Database.H2)
                .createTable()
                // Longer than it takes until all of them wait.
                .poolWait(Duration.ofMinutes(1))
                .build()) {
            List<CompletableFuture<Boolean>> attempts = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                attempts.add(attempt(provider));
            }
            Waits.soon().until(() -> threads.stream().allMatch(thread -> WAITING.contains(thread.getState())));
            timeOut.countDown();
            for (CompletableFuture<Boolean> attempt : attempts) {
                assertThat(Waits.failure(attempt))
                        .isInstanceOf(LockStoreException.class)
                        .hasMessageContaining("creation of the table failed")
                        .hasMessageContaining("no connection within the time-out");
            }
            assertThat(asked).hasValue(1);

            down = false;
            assertThat(TestClaim.once(provider, name).granted()).isTrue();
        }
    }
}
