package io.holdfast.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.jdbc.jpa.JpaLockProvider;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import io.holdfast.parts.Waits;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Persistence;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.hibernate.resource.jdbc.spi.PhysicalConnectionHandlingMode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Connections of a unit's pool: each operation borrows one, and always gives it back. */
@Tag("server")
class JpaConnectionsTest {

    private static final int POOL_SIZE = 2;
    private static final String HANDLING = "hibernate.connection.handling_mode";
    private static final String NO_AUTOCOMMIT = "hibernate.connection.provider_disables_autocommit";

    private final String name = "name-" + UUID.randomUUID();
    private final Map<String, Throwable> failures = new ConcurrentHashMap<>();

    private static HikariDataSource smallPool(String url) {
        HikariDataSource pool = JpaUnits.pool(url);
        pool.setMaximumPoolSize(POOL_SIZE);
        pool.setConnectionTimeout(10_000);
        return pool;
    }

    private static EntityManagerFactory opened(DataSource pool, Map<String, Object> settings) {
        Map<String, Object> all = new HashMap<>(settings);
        all.put("jakarta.persistence.nonJtaDataSource", pool);
        return Persistence.createEntityManagerFactory("locks", all);
    }

    /** A pool's connections whose methods fail as planned. */
    private DataSource failing(DataSource pool) {
        return failing(DataSource.class, pool);
    }

    private <T> T failing(Class<T> type, Object target) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    if (type == Connection.class && failures.containsKey(method.getName())) {
                        throw failures.get(method.getName());
                    }
                    try {
                        Object result = method.invoke(target, arguments);
                        return method.getReturnType() == Connection.class ? failing(Connection.class, result) : result;
                    } catch (InvocationTargetException failure) {
                        throw failure.getCause();
                    }
                }));
    }

    static Stream<Arguments> troubles() {
        List<Map<String, Throwable>> all = List.of(
                Map.of("commit", new SQLException("planned")),
                Map.of("commit", new LinkageError("planned")),
                Map.of("prepareStatement", new LinkageError("planned")),
                Map.of("getNetworkTimeout", new SQLException("planned")),
                Map.of("commit", new SQLException("planned"), "rollback", new SQLException("as well")),
                Map.of("prepareStatement", new LinkageError("planned"), "rollback", new LinkageError("as well")));
        return JpaUnits.urls().flatMap(url -> all.stream().map(trouble -> Arguments.of(url, trouble)));
    }

    @Proves("9.5")
    @ParameterizedTest
    @MethodSource("troubles")
    void failedOperationReleasesItsConnectionAndRowLocks(String url, Map<String, Throwable> trouble) {
        try (HikariDataSource pool = smallPool(url);
                EntityManagerFactory factory = opened(failing(pool), Map.of());
                JpaLockProvider provider = JpaLockProvider.over(factory).build()) {
            failures.putAll(trouble);
            for (int i = 0; i < POOL_SIZE + 2; i++) {
                assertThat(catchThrowable(TestClaim.once(provider, name)::granted))
                        .hasStackTraceContaining("planned");
                assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
            }
            failures.clear();
            TestClaim next = TestClaim.once(provider, name);
            assertThat(next.granted()).isTrue();
            assertThat(next.released()).isTrue();
        }
    }

    @Proves("9.5")
    @Test
    void refusedCommitGivesTheConnectionBack() {
        String url = Databases.newPostgreSql();
        Databases.run(
                url,
                "CREATE FUNCTION fail() RETURNS trigger AS"
                        + " 'BEGIN RAISE EXCEPTION ''too late'' USING ERRCODE = ''40001''; END' LANGUAGE plpgsql",
                "CREATE CONSTRAINT TRIGGER late AFTER INSERT ON holdfast_lock DEFERRABLE INITIALLY DEFERRED"
                        + " FOR EACH ROW EXECUTE FUNCTION fail()");
        try (HikariDataSource pool = smallPool(url);
                EntityManagerFactory factory = opened(pool, Map.of());
                JpaLockProvider provider = JpaLockProvider.over(factory).build()) {
            for (int i = 0; i < POOL_SIZE + 2; i++) {
                assertThatThrownBy(TestClaim.once(provider, name)::granted)
                        .isInstanceOf(LockStoreException.class)
                        .hasMessageContaining("too late");
            }
            assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
            Databases.run(url, "DROP TRIGGER late ON holdfast_lock");
            assertThat(TestClaim.once(provider, name).granted()).isTrue();
        }
    }

    /** Nothing was sent during that wait, so the outcome is not unknown. */
    @Proves("7.4")
    @Test
    void interruptWhileWaitingForAConnectionIsKeptAndTheAttemptContinues() throws Exception {
        try (HikariDataSource pool = smallPool(Databases.SharedH2.URL)) {
            pool.setMaximumPoolSize(1);
            pool.setConnectionTimeout(Waits.FAULT_BOUND.toMillis());
            try (EntityManagerFactory factory = opened(pool, Map.of());
                    JpaLockProvider provider = JpaLockProvider.over(factory).build()) {
                CompletableFuture<Boolean> grantedAndInterrupted = new CompletableFuture<>();
                Thread attempt = new Thread(() -> {
                    boolean granted = TestClaim.once(provider, name).granted();
                    grantedAndInterrupted.complete(
                            granted && Thread.currentThread().isInterrupted());
                });
                attempt.setUncaughtExceptionHandler(
                        (thread, failure) -> grantedAndInterrupted.completeExceptionally(failure));
                try (Connection taken = pool.getConnection()) {
                    attempt.start();
                    Waits.soon().until(() -> waiting(pool) == 1);
                    attempt.interrupt();
                    Waits.soon().until(() -> !attempt.isInterrupted() && waiting(pool) == 1);
                    assertThat(taken.isClosed()).isFalse();
                }
                assertThat(grantedAndInterrupted.get(Waits.FAULT_BOUND.toSeconds(), TimeUnit.SECONDS))
                        .isTrue();
                attempt.join();
            }
        }
    }

    private static int waiting(HikariDataSource pool) {
        return pool.getHikariPoolMXBean().getThreadsAwaitingConnection();
    }

    static Stream<Object> releasingModes() {
        return Stream.of(
                "DELAYED_ACQUISITION_AND_RELEASE_AFTER_STATEMENT",
                "delayed_acquisition_and_release_after_statement",
                PhysicalConnectionHandlingMode.DELAYED_ACQUISITION_AND_RELEASE_AFTER_STATEMENT);
    }

    @ParameterizedTest
    @MethodSource("releasingModes")
    void unitThatReleasesItsConnectionAfterEachStatementIsRefused(Object mode) {
        try (HikariDataSource pool = smallPool(Databases.SharedH2.URL);
                EntityManagerFactory factory = opened(pool, Map.of(HANDLING, mode))) {
            assertThatThrownBy(() -> JpaLockProvider.over(factory).build())
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageContaining(HANDLING)
                    .hasMessageContaining("allowed");
        }
    }

    /** If an application sets it by other means than properties, it shows only in the first transaction. */
    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.JpaUnits#urls")
    void attemptWithAnotherConnectionForEachStatementFails(String url) {
        String mode = "DELAYED_ACQUISITION_AND_RELEASE_AFTER_STATEMENT";
        try (HikariDataSource pool = smallPool(url);
                EntityManagerFactory factory = opened(pool, Map.of(HANDLING, mode))) {
            EntityManagerFactory silent = JpaUnitTest.withMethod(factory, "getProperties", Map::of);
            try (JpaLockProvider provider = JpaLockProvider.over(silent).build()) {
                assertThatThrownBy(TestClaim.once(provider, name)::granted)
                        .isInstanceOf(LockStoreException.class)
                        .hasMessageContaining(HANDLING);
                assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
                assertThat(Databases.ask(url, "SELECT count(*) FROM holdfast_lock WHERE name = '" + name + "'"))
                        .isEqualTo("0");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.JpaUnits#urls")
    void attemptInAutocommitFails(String url) {
        try (HikariDataSource pool = smallPool(url);
                EntityManagerFactory factory = opened(pool, Map.of(NO_AUTOCOMMIT, "true"));
                JpaLockProvider provider = JpaLockProvider.over(factory).build()) {
            for (int i = 0; i < POOL_SIZE + 2; i++) {
                assertThatThrownBy(TestClaim.once(provider, name)::granted)
                        .isInstanceOf(LockStoreException.class)
                        .hasMessageContaining(NO_AUTOCOMMIT);
            }
            assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
            assertThat(Databases.ask(url, "SELECT count(*) FROM holdfast_lock WHERE name = '" + name + "'"))
                    .isEqualTo("0");
        }
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.JpaUnits#urls")
    void poolThatDeclaresAutocommitOffIsAccepted(String url) {
        try (HikariDataSource pool = smallPool(url)) {
            pool.setAutoCommit(false);
            try (EntityManagerFactory factory = opened(pool, Map.of(NO_AUTOCOMMIT, "true"));
                    JpaLockProvider provider = JpaLockProvider.over(factory).build()) {
                TestClaim holder = TestClaim.once(provider, name);
                assertThat(holder.granted()).isTrue();
                assertThat(holder.held()).isTrue();
                assertThat(holder.released()).isTrue();
                assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
            }
        }
    }

    /** H2's clock stands still in a transaction, also in one of the application that has only read. */
    @Proves("2.5")
    @Test
    void renewalDoesNotCountFromAReadThatTheApplicationLeftOpen() throws Exception {
        String url = Databases.SharedH2.URL;
        try (Connection only = Databases.connect(url)) {
            only.setAutoCommit(false);
            try (EntityManagerFactory factory = opened(lendingOpen(only), Map.of());
                    JpaLockProvider provider = JpaLockProvider.over(factory).build()) {
                TestClaim holder = TestClaim.once(provider, name);
                assertThat(holder.granted()).isTrue();
                try (Statement read = only.createStatement()) {
                    assertThat(read.executeQuery("SELECT CURRENT_TIMESTAMP").next())
                            .isTrue();
                }
                String past = Databases.ask(url, "SELECT CURRENT_TIMESTAMP");
                Waits.soon()
                        .until(() -> isTrue(
                                url,
                                "CURRENT_TIMESTAMP > DATEADD(SECOND, 2, TIMESTAMP WITH TIME ZONE '" + past + "')"));

                assertThat(holder.held()).isTrue();
                String late = "expires_at > DATEADD(SECOND, 31, TIMESTAMP WITH TIME ZONE '" + past
                        + "') FROM holdfast_lock WHERE name = '" + name + "'";
                assertThat(isTrue(url, late)).as("counted from the renewal").isTrue();
            }
        }
    }

    private static boolean isTrue(String url, String question) {
        return Databases.ask(url, "SELECT " + question).equalsIgnoreCase("true");
    }

    /** A pool of one connection, which ends no transaction when it gets that back. */
    private static DataSource lendingOpen(Connection only) {
        return proxy(
                DataSource.class,
                (proxy, method, arguments) -> proxy(
                        Connection.class,
                        (lent, call, values) -> call.getName().equals("close") ? null : call.invoke(only, values)));
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    /** HikariCP fails on a connection that it has dropped, and does not recognise H2's failure. */
    @Proves("5.4")
    @Test
    void connectionLostAfterTheCommitFailsNothing() {
        AtomicBoolean cut = new AtomicBoolean();
        JdbcDataSource server = new JdbcDataSource();
        server.setURL(Databases.SharedH2.URL);
        try (HikariDataSource pool = JpaUnits.pool(Databases.SharedH2.URL)) {
            pool.setDataSource(cutBeforeAutocommit(DataSource.class, server, cut));
            try (EntityManagerFactory factory = JpaUnits.opened("locks", pool);
                    JpaLockProvider provider = JpaLockProvider.over(factory).build()) {
                TestClaim holder = TestClaim.once(provider, "name-" + UUID.randomUUID());
                assertThat(holder.granted()).isTrue();

                cut.set(true);
                assertThat(holder.held()).isTrue();
                assertThat(cut).as("a connection was cut").isFalse();
                assertThat(releasedDespiteTheCut(holder)).isTrue();
            }
        }
    }

    /** The pool may lend the lost connection once more: that call fails, and the next one has another connection. */
    private static boolean releasedDespiteTheCut(TestClaim holder) {
        try {
            return holder.released();
        } catch (LockStoreException lost) {
            assertThat(lost).hasMessageContaining("ended the connection");
            return holder.released();
        }
    }

    /** Connections of which one is lost when it goes back to autocommit. */
    private static <T> T cutBeforeAutocommit(Class<T> type, Object target, AtomicBoolean cut) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    if (method.getName().equals("setAutoCommit")
                            && arguments[0].equals(true)
                            && cut.compareAndSet(true, false)) {
                        ((Connection) target).close();
                        throw new SQLException("Connection is broken, says the test", "90067", 90067);
                    }
                    try {
                        Object result = method.invoke(target, arguments);
                        return method.getReturnType() == Connection.class
                                ? cutBeforeAutocommit(Connection.class, result, cut)
                                : result;
                    } catch (InvocationTargetException failure) {
                        throw failure.getCause();
                    }
                }));
    }
}
