package io.holdfast.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.jdbc.jpa.JpaLockProvider;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.faults.TcpProxy;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import io.holdfast.parts.Waits;
import io.holdfast.servers.MariaDbServer;
import jakarta.persistence.EntityManagerFactory;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Connections that a firewall cuts while the database is up, also the kept one. Only H2 shows whether the pool learns of it:
 * HikariCP itself notices lost connections to PostgreSQL and MariaDB when they are given back.
 */
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("connections of JdbcCutConnectionsTest")
@Tag("server")
class JdbcCutConnectionsTest {

    /** Longer than a connection is used untested. */
    private static final Duration IDLE = Duration.ofMillis(700);

    /** Shorter than that, and enough for a waiter to ask again. */
    private static final Duration BETWEEN_CUTS = Duration.ofMillis(600);

    private static final int CUTS = 6;

    /** After a cut all of its connections are opened anew, and the next cut finds them untested. */
    private static final int LARGE_POOL = 30;

    private final String name = "name-" + UUID.randomUUID();

    static Stream<String> servers() {
        return MariaDbServer.isAvailable()
                ? Stream.concat(serversOfJpa(), Stream.of(Databases.SharedMariaDb.URL))
                : serversOfJpa();
    }

    static Stream<String> serversOfJpa() {
        return Stream.of(Databases.SharedPostgreSql.URL, Databases.SharedH2Server.URL);
    }

    private interface Scene {
        void play(LockProvider provider, TcpProxy proxy) throws Exception;
    }

    /** With the provider's own pool, and with one of the application. */
    private static void play(String url, Scene scene) throws Exception {
        try (ProxiedDatabase proxied = ProxiedDatabase.of(url)) {
            try (LockProvider own = Databases.at(proxied.url())) {
                scene.play(own, proxied.proxy());
            }
            try (HikariDataSource pool = new HikariDataSource()) {
                pool.setJdbcUrl(proxied.url());
                pool.setMaximumPoolSize(LARGE_POOL);
                try (LockProvider over = JdbcLockProvider.over(pool).build()) {
                    scene.play(over, proxied.proxy());
                }
            }
        }
    }

    @Proves({"3.4", "5.4"})
    @ParameterizedTest
    @MethodSource("servers")
    void renewalsAndReleasesReplaceACutConnection(String url) throws Exception {
        play(url, (provider, proxy) -> {
            TestClaim holder = TestClaim.once(provider, name);
            assertThat(holder.granted()).isTrue();
            Waits.letPass(IDLE);
            proxy.reset();
            assertThat(holder.held()).isTrue();
            Waits.letPass(IDLE);
            proxy.reset();
            assertThat(holder.released()).isTrue();
        });
    }

    /** Lost connections are reported to HikariCP. Other pools count a connection as borrowed until it is closed. */
    @Proves("3.4")
    @Test
    void lostConnectionIsClosedWhereThePoolDoesNotNotice() throws Exception {
        try (ProxiedDatabase proxied = ProxiedDatabase.of(Databases.SharedH2Server.URL)) {
            JdbcConnectionPool pool = JdbcConnectionPool.create(proxied.url(), "", "");
            try (LockProvider provider = JdbcLockProvider.over(pool).build()) {
                TestClaim holder = TestClaim.once(provider, name);
                assertThat(holder.granted()).isTrue();
                Waits.letPass(IDLE);
                proxied.proxy().reset();
                // The pool lends the lost connection once more, and that call fails.
                Waits.answered().until(holder::held);
                assertThat(pool.getActiveConnections()).isOne();
                assertThat(holder.released()).isTrue();
                assertThat(pool.getActiveConnections()).isZero();
            } finally {
                pool.dispose();
            }
        }
    }

    /** A connection in use a moment ago is not tested, so a call fails for each of them; the pool may have opened several. */
    @Proves("5.4")
    @ParameterizedTest
    @MethodSource("servers")
    void releaseThatMeetsTheCutIsRepeatedOnAnotherConnection(String url) throws Exception {
        play(url, (provider, proxy) -> {
            TestClaim holder = TestClaim.once(provider, name);
            assertThat(holder.granted()).isTrue();
            proxy.reset();
            assertThat(Waits.answered().until(holder::released, answer -> true)).isTrue();
        });
    }

    @Proves("5.5")
    @ParameterizedTest
    @MethodSource("servers")
    void clientClosedAfterTheCutFreesItsLocks(String url) throws Exception {
        for (Duration idle : new Duration[] {Duration.ZERO, IDLE}) {
            play(
                    url,
                    (provider, proxy) -> assertFreeAfterClose(url, provider, () -> {
                        Waits.letPass(idle);
                        proxy.reset();
                    }));
        }
    }

    @Proves("5.5")
    @ParameterizedTest
    @MethodSource("serversOfJpa")
    void jpaClientClosedAfterTheCutFreesItsLocks(String url) throws Exception {
        playByJpa(url, (provider, proxy) -> assertFreeAfterClose(url, provider, proxy::reset));
    }

    private void assertFreeAfterClose(String url, LockProvider provider, Runnable cut) throws InterruptedException {
        LockClient client = LockClient.builder(provider).build();
        client.lock(name).acquire();
        client.lock(name + "-2").acquire();
        cut.run();
        client.close();
        try (JdbcLockProvider direct = Databases.at(url)) {
            for (String lock : new String[] {name, name + "-2"}) {
                TestClaim next = TestClaim.once(direct, lock);
                assertThat(next.granted()).as(lock).isTrue();
                assertThat(next.released()).isTrue();
            }
        }
    }

    private static void playByJpa(String url, Scene scene) throws Exception {
        try (ProxiedDatabase proxied = ProxiedDatabase.of(url);
                HikariDataSource pool = JpaUnits.pool(proxied.url());
                EntityManagerFactory factory = JpaUnits.opened("locks", pool);
                LockProvider provider = JpaLockProvider.over(factory).build()) {
            scene.play(provider, proxied.proxy());
        }
    }

    @Proves("7.2")
    @ParameterizedTest
    @MethodSource("servers")
    void waiterKeepsWaitingAfterCuts(String url) throws Exception {
        play(url, (provider, proxy) -> assertKeepsWaiting(url, provider, proxy));
    }

    /** On a busy machine a pool needs seconds to replace its connections, and each of them may be cut again meanwhile. */
    @Proves("7.2")
    @ParameterizedTest
    @MethodSource("servers")
    void waiterKeepsWaitingThroughSecondsOfCuts(String url) throws Exception {
        try (ProxiedDatabase proxied = ProxiedDatabase.of(url)) {
            RecordingDataSource source = new RecordingDataSource(new TestDataSource(proxied.url()));
            AtomicInteger cuts = new AtomicInteger();
            try (LockProvider provider =
                    JdbcLockProvider.over(source.dataSource()).build()) {
                TestClaim earlier = TestClaim.once(provider, name);
                assertThat(earlier.granted()).isTrue();
                assertThat(earlier.released()).isTrue();
                TestClaim waiter = TestClaim.waiting(provider, name);
                source.beforeEach(statement -> {
                    if (cuts.get() < CUTS && statement.contains("INSERT")) {
                        cuts.incrementAndGet();
                        Waits.letPass(BETWEEN_CUTS);
                        proxied.proxy().reset();
                    }
                });
                assertThat(waiter.granted()).isTrue();
                assertThat(cuts).hasValue(CUTS);
                assertThat(waiter.released()).isTrue();
            }
        }
    }

    @Proves("7.2")
    @ParameterizedTest
    @MethodSource("serversOfJpa")
    void jpaWaiterKeepsWaitingAfterCuts(String url) throws Exception {
        playByJpa(url, (provider, proxy) -> assertKeepsWaiting(url, provider, proxy));
    }

    private void assertKeepsWaiting(String url, LockProvider provider, TcpProxy proxy) throws Exception {
        try (JdbcLockProvider direct = Databases.at(url);
                LockClient client = LockClient.builder(provider).build()) {
            TestClaim holder = TestClaim.once(direct, name);
            assertThat(holder.granted()).isTrue();
            CompletableFuture<LockHandle> waiter = client.lock(name).acquireAsync();
            for (int cut = 0; cut < CUTS; cut++) {
                Waits.letPass(BETWEEN_CUTS);
                proxy.reset();
            }
            assertThat(holder.released()).isTrue();
            assertThat(waiter.get(Waits.FAULT_BOUND.toSeconds(), TimeUnit.SECONDS)
                            .release())
                    .isTrue();
        }
    }
}
