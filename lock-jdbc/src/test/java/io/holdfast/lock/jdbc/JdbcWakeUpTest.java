package io.holdfast.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.lock.LockCapabilities.WakeUp;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.jdbc.JdbcLockProvider.Database;
import io.holdfast.lock.spi.ReleaseFeed;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import io.holdfast.parts.Waits;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

/** Wake-ups by PostgreSQL's notifications. */
@Tag("server")
class JdbcWakeUpTest {

    private static final String URL = Databases.SharedPostgreSql.URL;
    private static final String THREAD = "holdfast-jdbc-notifications";
    private static final Duration SHORTER_THAN_THE_SAFETY_POLL = Duration.ofSeconds(4);

    /** Longer than a connection takes to listen. */
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final String application = "w" + UUID.randomUUID().toString().substring(0, 8);
    private final String url = URL + "&ApplicationName=" + application;
    private final String name = "name-" + UUID.randomUUID();

    private String backends() {
        return Databases.ask(
                URL, "SELECT count(*) FROM pg_stat_activity WHERE application_name = '" + application + "'");
    }

    private void awaitSignals(TestClaim waiter, int signals) {
        Waits.soon().untilAsserted(() -> assertThat(waiter.mayBeFree).hasValueGreaterThanOrEqualTo(signals));
    }

    @Proves("7.2")
    @Test
    void releaseWakesTheWaitersOfItsNameOnly() {
        try (JdbcLockProvider provider = Databases.at(url);
                JdbcLockProvider other = Databases.at(url)) {
            TestClaim holder = TestClaim.once(provider, name);
            holder.granted();
            TestClaim rest = TestClaim.once(provider, name + "-other");
            rest.granted();
            TestClaim waiter = TestClaim.waiting(other, name);
            TestClaim bystander = TestClaim.waiting(other, name + "-other");
            assertThat(waiter.refused().retryAfter().orElseThrow()).isGreaterThan(Duration.ofSeconds(20));
            Waits.soon().until(waiter::isHeard);
            int before = waiter.mayBeFree.get();
            bystander.refused();
            // The connection is already listening.
            assertThat(bystander.mayBeFree).hasValue(1);
            holder.released();
            awaitSignals(waiter, before + 1);
            assertThat(waiter.granted()).isTrue();
            assertThat(bystander.mayBeFree).hasValue(1);
            waiter.released();
            rest.released();
            bystander.released();
        }
    }

    /** Messages arrive in order: the later one shows that there was none before it. */
    @Test
    void releaseOfALostClaimWakesNobody() {
        try (JdbcLockProvider provider = Databases.at(url);
                JdbcLockProvider other = Databases.at(url)) {
            TestClaim holder = TestClaim.once(provider, name);
            TestClaim rest = TestClaim.once(provider, name + "-other");
            assertThat(holder.granted() && rest.granted()).isTrue();
            assertThat(holder.released()).isTrue();
            TestClaim next = TestClaim.once(provider, name);
            assertThat(next.granted()).isTrue();
            TestClaim waiter = TestClaim.waiting(other, name);
            TestClaim bystander = TestClaim.waiting(other, name + "-other");
            waiter.refused();
            Waits.soon().until(waiter::isHeard);
            bystander.refused();
            int before = waiter.mayBeFree.get();
            assertThat(holder.released()).isFalse();
            assertThat(rest.released()).isTrue();
            awaitSignals(bystander, 2);
            assertThat(waiter.mayBeFree).hasValue(before);
            assertThat(next.released()).isTrue();
        }
    }

    @Proves("7.2")
    @Test
    void killedListeningConnectionIsReplacedAndWakesWaiters() {
        try (JdbcLockProvider provider = Databases.at(url)) {
            TestClaim holder = TestClaim.once(provider, name);
            holder.granted();
            TestClaim waiter = TestClaim.waiting(provider, name);
            waiter.refused();
            awaitSignals(waiter, 1);
            Databases.run(
                    URL,
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '" + application
                            + "' AND query LIKE 'LISTEN%'");
            // One at the loss, one when the connection is back.
            awaitSignals(waiter, 3);
            int before = waiter.mayBeFree.get();
            Waits.answered().until(holder::released);
            awaitSignals(waiter, before + 1);
            waiter.released();
        }
    }

    @Proves("9.3")
    @Test
    void closingEndsAllConnections() {
        JdbcLockProvider provider = Databases.at(url);
        TestClaim holder = TestClaim.once(provider, name);
        holder.granted();
        TestClaim waiter = TestClaim.waiting(provider, name);
        waiter.refused();
        awaitSignals(waiter, 1);
        // The server may still be ending the first connection, which was opened beside the pool.
        Waits.soon().untilAsserted(() -> assertThat(backends()).isEqualTo("3"));
        holder.released();
        provider.close();
        Waits.soon().until(() -> backends().equals("0"));
    }

    /** A data source with a separate pool for the thread that listens. */
    private DataSource listeningBy(DataSource pool, AtomicReference<Thread> listener) {
        return (DataSource) Proxy.newProxyInstance(
                DataSource.class.getClassLoader(), new Class<?>[] {DataSource.class}, (source, method, arguments) -> {
                    if (!Thread.currentThread().getName().equals(THREAD)) {
                        return Databases.connect(url);
                    }
                    listener.set(Thread.currentThread());
                    return pool.getConnection();
                });
    }

    /** A given pool may have no limit for a wait. */
    @Proves("9.3")
    @Test
    void closingEndsTheThreadThatWaitsForAGivenPool() throws SQLException {
        AtomicReference<Thread> listener = new AtomicReference<>();
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setJdbcUrl(url);
            pool.setMaximumPoolSize(1);
            pool.setConnectionTimeout(0);
            try (Connection taken = pool.getConnection()) {
                JdbcLockProvider provider = JdbcLockProvider.over(listeningBy(pool, listener))
                        .database(Database.POSTGRESQL)
                        .build();
                TestClaim holder = TestClaim.once(provider, name);
                assertThat(holder.granted()).isTrue();
                TestClaim.waiting(provider, name).refused();
                Waits.soon().until(() -> pool.getHikariPoolMXBean().getThreadsAwaitingConnection() == 1);
                holder.released();
                provider.close();
                // On a slow machine it may end after the time for which close() waits for it.
                Waits.soon().until(() -> !listener.get().isAlive());
                assertThat(pool.getHikariPoolMXBean().getThreadsAwaitingConnection())
                        .isZero();
                assertThat(taken.isClosed()).isFalse();
            }
        }
    }

    @Proves("9.6")
    @Test
    void givenPoolGetsItsConnectionsBackUnsubscribed() {
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setJdbcUrl(url);
            pool.setMaximumPoolSize(3);
            try (JdbcLockProvider provider = JdbcLockProvider.over(pool).build()) {
                TestClaim holder = TestClaim.once(provider, name);
                holder.granted();
                TestClaim waiter = TestClaim.waiting(provider, name);
                waiter.refused();
                awaitSignals(waiter, 1);
                holder.released();
                awaitSignals(waiter, 2);
                waiter.claim.release();
            }
            assertThat(pool.isClosed()).isFalse();
            Waits.soon().until(() -> pool.getHikariPoolMXBean().getActiveConnections() == 0);
            Waits.soon().until(() -> listener().isEmpty());
        }
    }

    /** A data source as a pooler makes it: the connection has another process id than in the server. */
    private DataSource throughAPooler(AtomicReference<Thread> listener) {
        return (DataSource) Proxy.newProxyInstance(
                DataSource.class.getClassLoader(), new Class<?>[] {DataSource.class}, (source, method, arguments) -> {
                    if (Thread.currentThread().getName().equals(THREAD)) {
                        listener.set(Thread.currentThread());
                    }
                    return changed(
                            Connection.class,
                            Databases.connect(url),
                            "unwrap",
                            messages -> changed(PGConnection.class, messages, "getBackendPID", pid -> -(Integer) pid));
                });
    }

    /** Delegates to an object, except for the result of one method. */
    private static Object changed(Class<?> type, Object target, String name, UnaryOperator<Object> change) {
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
            try {
                Object result = method.invoke(target, arguments);
                return method.getName().equals(name) ? change.apply(result) : result;
            } catch (InvocationTargetException failure) {
                throw failure.getCause();
            }
        });
    }

    @Proves("7.2")
    @Test
    void waitersPollBehindAPooler() throws InterruptedException {
        AtomicReference<Thread> listener = new AtomicReference<>();
        try (LockClient client = LockClient.builder(JdbcLockProvider.over(throughAPooler(listener))
                                .database(Database.POSTGRESQL)
                                .build())
                        .build();
                JdbcLockProvider other = Databases.at(URL)) {
            TestClaim holder = TestClaim.once(other, name);
            holder.granted();
            CompletableFuture<LockHandle> waiting = client.lock(name).acquireAsync();
            // The connection is given back as useless.
            Waits.soon()
                    .until(() -> listener.get() != null
                            && !listener.get().isAlive()
                            && listener().isEmpty());
            holder.released();
            assertThat(waiting).succeedsWithin(SHORTER_THAN_THE_SAFETY_POLL);
            waiting.join().close();
        }
    }

    @Test
    void lastUnsubscribeGivesTheConnectionBack() {
        try (JdbcLockProvider provider = Databases.at(url)) {
            BlockingQueue<String> reported = new LinkedBlockingQueue<>();
            ReleaseFeed feed = provider.releases(telling(reported)).orElseThrow();
            feed.subscribe(name);
            Waits.soon().until(() -> reported.contains("listening " + name));
            feed.unsubscribe(name);
            Waits.soon().until(() -> backends().equals("0"));
            feed.subscribe(name + "-next");
            Waits.soon().until(() -> reported.contains("listening " + name + "-next"));
            assertThat(listener()).isNotEmpty();
        }
    }

    private static ReleaseFeed.Listener telling(BlockingQueue<String> reported) {
        return new ReleaseFeed.Listener() {
            @Override
            public void listening(String name) {
                reported.add("listening " + name);
            }

            @Override
            public void released(String name) {
                reported.add("released " + name);
            }

            @Override
            public void interrupted(String name) {
                reported.add("interrupted " + name);
            }
        };
    }

    private String listener() {
        return Databases.ask(
                URL,
                "SELECT pid FROM pg_stat_activity WHERE application_name = '" + application
                        + "' AND query LIKE 'LISTEN%'");
    }

    /** A data source whose first connections for messages fail with an Error. */
    private DataSource failing(AtomicInteger times) {
        return (DataSource) Proxy.newProxyInstance(
                DataSource.class.getClassLoader(), new Class<?>[] {DataSource.class}, (source, method, arguments) -> {
                    if (Thread.currentThread().getName().equals(THREAD) && times.getAndDecrement() > 0) {
                        throw new NoClassDefFoundError("org/example/Missing");
                    }
                    return Databases.connect(url);
                });
    }

    @Proves("7.2")
    @Test
    void errorOfTheListeningThreadIsHandledAsALostConnection() {
        AtomicInteger failures = new AtomicInteger(2);
        try (JdbcLockProvider provider = JdbcLockProvider.over(failing(failures))
                .database(Database.POSTGRESQL)
                .build()) {
            TestClaim holder = TestClaim.once(provider, name);
            holder.granted();
            TestClaim waiter = TestClaim.waiting(provider, name);
            waiter.refused();
            // One at each failure, one when the connection is there.
            awaitSignals(waiter, 3);
            assertThat(failures).hasNonPositiveValue();
            int before = waiter.mayBeFree.get();
            holder.released();
            awaitSignals(waiter, before + 1);
            waiter.released();
        }
    }

    @Test
    void pollingOpensNoListeningConnection() {
        try (JdbcLockProvider provider = Databases.at(url, "wakeUp", "poll")) {
            assertThat(provider.capabilities().wakeUp()).isEqualTo(WakeUp.POLL);
            TestClaim holder = TestClaim.once(provider, name);
            holder.granted();
            TestClaim waiter = TestClaim.waiting(provider, name);
            waiter.refused();
            Waits.letPass(PAUSE);
            Waits.soon()
                    .untilAsserted(() -> assertThat(backends())
                            .as("one for calls, one that is kept")
                            .isEqualTo("2"));
            holder.released();
        }
    }
}
