package io.holdfast.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.lock.LockCapabilities.WakeUp;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.tck.faults.TcpProxy;
import io.holdfast.lock.tck.faults.TcpProxy.Direction;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import io.holdfast.parts.Waits;
import io.holdfast.servers.DatabaseServer;
import io.holdfast.servers.MariaDbServer;
import io.holdfast.servers.PostgreSqlServer;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Statements that took effect, but whose reply was lost. */
@Tag("server")
class LostRepliesTest {

    private static final Duration SHORT_LEASE = Duration.ofSeconds(3);

    private static PostgreSqlServer postgreSql;
    private static Optional<MariaDbServer> mariaDb = Optional.empty();

    private final String name = "name-" + UUID.randomUUID();

    @BeforeAll
    static void start() {
        postgreSql = PostgreSqlServer.start("fsync=off");
        if (MariaDbServer.isAvailable()) {
            mariaDb = Optional.of(MariaDbServer.start("innodb-flush-log-at-trx-commit=0"));
        }
        servers().forEach(server -> Databases.createTable(server.url()));
    }

    @AfterAll
    static void stop() {
        servers().forEach(DatabaseServer::close);
    }

    private static Stream<DatabaseServer> servers() {
        return stores().map(Store::server);
    }

    static Stream<Store> stores() {
        return Stream.of(Store.values()).filter(store -> store == Store.POSTGRESQL || mariaDb.isPresent());
    }

    /** The servers by name: JUnit would close server arguments after the first test. */
    enum Store {
        POSTGRESQL,
        MARIADB;

        private DatabaseServer server() {
            return this == POSTGRESQL ? postgreSql : mariaDb.orElseThrow();
        }
    }

    /** A connection to a server that can be cut, over a pool that has one open connection. */
    private static final class Link implements AutoCloseable {
        private final TcpProxy proxy;
        private final HikariDataSource pool = new HikariDataSource();
        private final JdbcLockProvider provider;

        private Link(DatabaseServer server) {
            proxy = TcpProxy.to(server.host(), server.port());
            pool.setJdbcUrl(server.url(proxy.port()));
            pool.setMaximumPoolSize(1);
            pool.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
            provider = JdbcLockProvider.over(pool).wakeUp(WakeUp.POLL).build();
            TestClaim warmUp = TestClaim.once(provider, "warm-up");
            assertThat(warmUp.granted()).isTrue();
            assertThat(warmUp.held()).isTrue();
            assertThat(warmUp.released()).isTrue();
        }

        /** Loses the reply of a statement, and not that to the pool, which may test the connection before. */
        private void assertUnknown(Runnable call) {
            proxy.loseReplies(request -> request.contains("holdfast_lock"));
            assertThatThrownBy(call::run).isInstanceOf(LockStoreException.class);
            proxy.keepReplies();
        }

        @Override
        public void close() {
            provider.close();
            pool.close();
            proxy.close();
        }
    }

    @Proves("5.6")
    @ParameterizedTest
    @MethodSource("stores")
    void acquireWithLostReplyIsUndoneByTheRelease(Store store) {
        try (Link link = new Link(store.server())) {
            TestClaim claim = TestClaim.once(link.provider, name);
            link.assertUnknown(claim::granted);
            assertThat(count(store)).isEqualTo("1");
            assertThat(claim.released()).isTrue();
            assertThat(count(store)).isEqualTo("0");
        }
    }

    /** It may take effect after the refusal, which answers the later attempt only. */
    @Proves("5.6")
    @ParameterizedTest
    @MethodSource("stores")
    void acquireWithLostReplyIsUndoneAfterALaterRefusal(Store store) {
        try (Link link = new Link(store.server())) {
            TestClaim claim = TestClaim.once(link.provider, name);
            link.assertUnknown(claim::granted);
            handTo(store, "another");
            assertThat(claim.granted()).isFalse();
            handTo(store, claim.id);
            assertThat(claim.released()).isTrue();
            assertThat(count(store)).isEqualTo("0");
        }
    }

    private void handTo(Store store, String claim) {
        Databases.run(
                store.server().url(),
                "UPDATE holdfast_lock SET claim_id = '" + claim + "' WHERE name = '" + name + "'");
    }

    @Proves("1.3")
    @ParameterizedTest
    @MethodSource("stores")
    void acquireWithLostReplyIsGrantedAgainWithTheSameToken(Store store) {
        try (Link link = new Link(store.server())) {
            TestClaim claim = TestClaim.once(link.provider, name);
            link.assertUnknown(claim::granted);
            String granted =
                    Databases.ask(store.server().url(), "SELECT token FROM holdfast_lock WHERE name = '" + name + "'");
            assertThat(claim.token()).isEqualTo(Long.parseLong(granted));
            assertThat(claim.released()).isTrue();
        }
    }

    @Proves("5.3")
    @ParameterizedTest
    @MethodSource("stores")
    void releaseWithLostReplyTakesEffect(Store store) {
        try (Link link = new Link(store.server())) {
            TestClaim claim = TestClaim.once(link.provider, name);
            assertThat(claim.granted()).isTrue();
            link.assertUnknown(claim::released);
            assertThat(count(store)).isEqualTo("0");
            assertThat(claim.released()).isFalse();
        }
    }

    @Proves("3.3")
    @ParameterizedTest
    @MethodSource("stores")
    void renewalWithLostReplyLeavesTheDeadline(Store store) {
        LockOptions options =
                LockOptions.DEFAULTS.withLeaseTime(Duration.ofSeconds(30)).withoutRenewal();
        try (Link link = new Link(store.server());
                LockClient client = LockClient.builder(link.provider).build();
                LockHandle held = client.lock(name, options).acquire()) {
            // Longer than the last renewal takes: its lease counts from the moment it was sent.
            Waits.soon().until(() -> held.remaining().compareTo(Duration.ofSeconds(28)) < 0);
            Duration before = held.remaining();
            long then = System.nanoTime();
            link.assertUnknown(held::renew);
            assertThat(held.remaining()).isLessThan(before);
            assertThat(held.isHeld()).isTrue();
            assertThat(held.renew()).isTrue();
            // What would be left without it: the renewal may take long.
            Duration unrenewed = before.minusNanos(System.nanoTime() - then);
            assertThat(held.remaining()).isGreaterThan(unrenewed);
        } catch (InterruptedException stop) {
            throw new AssertionError(stop);
        }
    }

    @Proves({"8.4", "5.6"})
    @ParameterizedTest
    @MethodSource("stores")
    void holderCutOffLosesTheLockBeforeTheNextGrant(Store store) throws InterruptedException {
        try (Link link = new Link(store.server());
                LockClient client = LockClient.builder(link.provider).build();
                JdbcLockProvider other = Databases.at(store.server().url())) {
            // Connects before the lease begins.
            assertThat(other.holder(name)).isEmpty();
            LockHandle held = client.lock(name, LockOptions.DEFAULTS.withLeaseTime(SHORT_LEASE))
                    .acquire();
            TestClaim next = TestClaim.once(other, name);
            assertThat(next.granted()).isFalse();
            link.proxy.swallow(Direction.REQUESTS);
            link.proxy.swallow(Direction.REPLIES);
            Waits.soon().until(() -> held.lost().toCompletableFuture().isDone());
            assertThat(held.lost().toCompletableFuture().join()).isEqualTo(LossCause.STORE_LOST);
            assertThat(held.isHeld()).isFalse();
            Waits.soon().until(next::granted);
            assertThat(next.released()).isTrue();
            link.proxy.pass(Direction.REQUESTS);
            link.proxy.pass(Direction.REPLIES);
            // Only now: what connected while nothing passed would wait for its log-in.
            link.proxy.reset();
            Waits.answered()
                    .until(() -> client.lock(name)
                            .tryAcquire()
                            .map(LockHandle::release)
                            .isPresent());
        }
    }

    private String count(Store store) {
        return Databases.ask(store.server().url(), "SELECT count(*) FROM holdfast_lock WHERE name = '" + name + "'");
    }
}
