package io.holdfast.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.jdbc.table.DatabaseFailures;
import io.holdfast.lock.jdbc.table.Pooled;
import io.holdfast.lock.jdbc.table.Sql;
import io.holdfast.lock.jdbc.table.SqlDialect;
import io.holdfast.parts.Waits;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The kept connection, while a call uses it and the pool has no other. */
class KeptConnectionTest {

    private static final Sql.Bound NOTHING = new Sql("SELECT 1", Statement.NO_GENERATED_KEYS).with(Map.of());
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    /** Longer than a test waits. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final HikariDataSource pool = new HikariDataSource();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final Object claim = new Object();
    private volatile boolean refusing;

    @BeforeEach
    void begin() {
        pool.setJdbcUrl(Databases.h2());
        pool.setMaximumPoolSize(2);
        pool.setConnectionTimeout(PATIENCE.toMillis());
    }

    @AfterEach
    void end() {
        goOn.countDown();
        threads.shutdownNow();
        pool.close();
    }

    private Connections over(Lender lender) throws SQLException {
        DatabaseFailures failures = new DatabaseFailures("JDBC at a test", List.of());
        Connections connections =
                new Connections(lender, KeptConnection.ofOne(), SqlDialect.of("h2"), failures, TIMEOUT);
        connections.kept().keepFor(claim);
        connections.run(NOTHING, PreparedStatement::execute);
        return connections;
    }

    /** A wrapper of a pool that refuses at once where the pool would wait. */
    private DataSource refusingAtOnce() {
        return (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    if (refusing && method.getName().equals("getConnection")) {
                        throw new SQLException("nothing is free");
                    }
                    return method.invoke(pool, arguments);
                });
    }

    private CompletableFuture<Boolean> renewal(Connections connections, Runnable meanwhile) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return connections.runOnKept(NOTHING, statement -> {
                            meanwhile.run();
                            return statement.execute();
                        });
                    } catch (SQLException failure) {
                        throw new IllegalStateException(failure);
                    }
                },
                threads);
    }

    private void waitToGoOn() {
        waitFor(goOn);
    }

    private static void waitFor(CountDownLatch event) {
        try {
            event.await();
        } catch (InterruptedException ended) {
            throw new IllegalStateException(ended);
        }
    }

    /** One renewal uses the connection, and another one waits for it. */
    private void assertSecondRenewalGetsItNext(Connections connections) {
        CountDownLatch begun = new CountDownLatch(1);
        CompletableFuture<Boolean> first = renewal(connections, () -> {
            begun.countDown();
            waitToGoOn();
        });
        assertAnotherRenewalGetsItNext(connections, first, begun);
    }

    private void assertAnotherRenewalGetsItNext(
            Connections connections, CompletableFuture<Boolean> first, CountDownLatch hasIt) {
        Waits.soon().until(() -> hasIt.getCount() == 0);
        refusing = true;
        CompletableFuture<Boolean> second = renewal(connections, () -> {});
        Waits.letPass(Duration.ofMillis(200));
        assertThat(second).isNotDone();
        goOn.countDown();

        Waits.soon().until(second::isDone);

        assertThat(first.join()).isTrue();
        assertThat(second.join()).isTrue();
    }

    @Test
    void renewalGetsTheFreedConnectionWhileWaitingForItsOwnPool() throws SQLException {
        try (Connections connections = over(Lender.ofOwn(pool));
                Connection others = pool.getConnection()) {
            assertThat(others.isValid(1)).isTrue();
            assertSecondRenewalGetsItNext(connections);
        }
    }

    @Test
    void renewalWaitsForTheConnectionAlthoughThePoolRefuses() throws SQLException {
        try (Connections connections = over(Lender.ofGiven(refusingAtOnce(), PATIENCE))) {
            assertSecondRenewalGetsItNext(connections);
        }
    }

    /** A wrapper of a pool whose connections are tested until the test goes on. */
    private DataSource testedUntilItGoesOn(CountDownLatch begun) {
        DataSource refusing = refusingAtOnce();
        return wrapping(refusing, () -> {
            Connection lent = refusing.getConnection();
            return (Connection) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                        if (method.getName().equals("isValid")) {
                            begun.countDown();
                            waitToGoOn();
                        }
                        return method.invoke(lent, arguments);
                    });
        });
    }

    private static DataSource wrapping(DataSource source, Callable<Connection> connections) {
        return (DataSource) Proxy.newProxyInstance(
                KeptConnectionTest.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> method.getName().equals("getConnection")
                        ? connections.call()
                        : method.invoke(source, arguments));
    }

    @Test
    void renewalWaitsForTheConnectionThatIsBeingTested() throws SQLException {
        CountDownLatch begun = new CountDownLatch(1);
        try (Connections connections = over(Lender.ofGiven(testedUntilItGoesOn(begun), PATIENCE))) {
            // A connection that was used a moment ago is not tested.
            Waits.letPass(Duration.ofMillis(600));
            assertAnotherRenewalGetsItNext(connections, renewal(connections, () -> {}), begun);
        }
    }

    @Test
    void callsThatGaveUpLeaveNothingInTheQueue() {
        ThreadPoolExecutor borrowing = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
        DataSource hanging = wrapping(pool, () -> {
            waitToGoOn();
            throw new SQLException("nothing is free");
        });
        try (Lender lender = Lender.ofGiven(hanging, Duration.ofMillis(20), borrowing)) {
            for (int i = 0; i < 5; i++) {
                assertThatThrownBy(lender::borrow).isInstanceOf(SQLException.class);
            }
            assertThat(borrowing.getQueue()).isEmpty();
        }
    }

    /** A renewal that got a connection from the pool must not block those that still wait. */
    @Test
    void renewalGetsTheConnectionAfterThePoolServedAnEarlierOne() throws SQLException {
        CountDownLatch firstGoesOn = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(2);
        try (Connections connections = over(Lender.ofOwn(pool))) {
            CompletableFuture<Boolean> first = renewal(connections, () -> {
                begun.countDown();
                waitFor(firstGoesOn);
            });
            Waits.soon().until(() -> begun.getCount() == 1);
            CompletableFuture<Boolean> served = renewal(connections, () -> {
                begun.countDown();
                waitFor(goOn);
            });
            Waits.soon().until(() -> begun.getCount() == 0);
            CompletableFuture<Boolean> waiting = renewal(connections, () -> {});
            Waits.soon().until(() -> pool.getHikariPoolMXBean().getThreadsAwaitingConnection() == 1);
            firstGoesOn.countDown();

            Waits.soon().until(waiting::isDone);

            assertThat(served).isNotDone();
            goOn.countDown();
            assertThat(Stream.of(first, served, waiting)).allMatch(CompletableFuture::join);
        }
    }

    @Test
    void failedStatementKeepsTheConnection() throws SQLException {
        try (Connections connections = over(Lender.ofGiven(refusingAtOnce(), PATIENCE))) {
            refusing = true;
            CompletableFuture<Boolean> failing = renewal(connections, () -> {
                throw new IllegalArgumentException("a row that cannot be read");
            });
            assertThat(Waits.failure(failing)).isInstanceOf(IllegalArgumentException.class);
            assertThat(renewal(connections, () -> {}).join()).isTrue();
        }
    }

    /** No thread can be started, and the connection must not be handed to the failed call. */
    @Test
    void failedThreadStartFailsTheCallAndKeepsTheConnection() throws SQLException {
        ThreadPoolExecutor running = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>()) {
            @Override
            public void execute(Runnable task) {
                if (refusing) {
                    throw new OutOfMemoryError("unable to create native thread");
                }
                super.execute(task);
            }
        };
        try (Connections connections = over(Lender.ofGiven(pool, PATIENCE, running))) {
            CountDownLatch begun = new CountDownLatch(1);
            CompletableFuture<Boolean> first = renewal(connections, () -> {
                begun.countDown();
                waitToGoOn();
            });
            Waits.soon().until(() -> begun.getCount() == 0);
            refusing = true;

            assertThat(Waits.failure(renewal(connections, () -> {}))).isInstanceOf(OutOfMemoryError.class);

            goOn.countDown();
            assertThat(first.join()).isTrue();
            assertThat(renewal(connections, () -> {}).join()).isTrue();
        }
    }

    private Connection inATransaction() throws SQLException {
        Connection bound = pool.getConnection();
        bound.setAutoCommit(false);
        try (Statement statement = bound.createStatement()) {
            statement.execute("INSERT INTO bought VALUES (1)");
        }
        return bound;
    }

    /** The feed retries again and again: each time would cost the pool a connection. */
    @Test
    void connectionRefusedForMessagesGoesBackToThePool() {
        Databases.run(pool.getJdbcUrl(), "CREATE TABLE bought (item INT)");
        DatabaseFailures failures = new DatabaseFailures("JDBC at a test", List.of());
        try (Connections connections = new Connections(
                Lender.ofGiven(pool, PATIENCE), KeptConnection.ofOne(), SqlDialect.of("h2"), failures, TIMEOUT)) {
            assertThatThrownBy(() -> connections.openForMessages(this::inATransaction))
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("in a transaction of the application");
            assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
        }
    }

    @Test
    void wrapperOfAPoolIsNotAskedToEvict() throws SQLException {
        DataSource wrapper = refusingAtOnce();
        try (Connection connection = pool.getConnection()) {
            assertThat(new Pooled(wrapper).evict(connection)).isFalse();
            assertThat(new Pooled(pool).evict(connection)).isTrue();
        }
    }

    @Test
    void connectionWhoseTestThrowsIsLost() {
        Connection broken = (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    throw new IllegalStateException("broken");
                });
        BorrowedConnection borrowed = new BorrowedConnection(broken, lost -> true);
        borrowed.markDoubtful();

        assertThat(borrowed.isUsable()).isFalse();
    }

    @Test
    void sequentialTasksShareAThread() {
        ThreadPoolExecutor borrowing = BorrowingThreads.start();
        try {
            for (int task = 0; task < 50; task++) {
                CompletableFuture.runAsync(() -> {}, borrowing).join();
            }
            // A thread that has just finished a task may not count as idle yet.
            assertThat(borrowing.getLargestPoolSize()).isLessThan(10);
        } finally {
            borrowing.shutdownNow();
        }
    }

    @Test
    void tasksBeyondTheThreadsAreQueued() {
        ThreadPoolExecutor borrowing = BorrowingThreads.start();
        try {
            List<CompletableFuture<Void>> tasks = new ArrayList<>();
            for (int task = 0; task < 100; task++) {
                tasks.add(CompletableFuture.runAsync(this::waitToGoOn, borrowing));
            }
            Waits.soon().until(() -> borrowing.getActiveCount() == 64);
            goOn.countDown();
            Waits.soon().until(() -> tasks.stream().allMatch(CompletableFuture::isDone));
            assertThat(borrowing.getLargestPoolSize()).isEqualTo(64);
        } finally {
            borrowing.shutdownNow();
        }
    }
}
