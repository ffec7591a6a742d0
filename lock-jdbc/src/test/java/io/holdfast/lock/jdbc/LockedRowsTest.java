package io.holdfast.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockListener;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.jdbc.table.LockKey;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import io.holdfast.parts.Waits;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Rows that another transaction has locked: by a person at a console, or by a client that stopped inside its own. */
@Tag("server")
class LockedRowsTest {

    private static final int OTHERS = 20;
    private static final Duration LEASE = Duration.ofSeconds(4);

    private final String prefix = "name-" + UUID.randomUUID() + "-";
    private final String locked = prefix + "locked";

    /** A transaction of another client that has locked a row. */
    private static final class Lock implements AutoCloseable {
        private final Connection transaction;

        private Lock(String url, String name) throws SQLException {
            transaction = Databases.connect(url);
            transaction.setAutoCommit(false);
            try (Statement statement = transaction.createStatement()) {
                // By the key: by other conditions MariaDB locks all rows.
                statement.execute("SELECT * FROM holdfast_lock WHERE name_hash = '"
                        + LockKey.of(name).hash() + "' FOR UPDATE");
            }
        }

        @Override
        public void close() throws SQLException {
            transaction.rollback();
            transaction.close();
        }
    }

    private List<String> others() {
        return IntStream.range(0, OTHERS).mapToObj(i -> prefix + i).toList();
    }

    @Proves("3.6")
    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#all")
    void renewalSkipsALockedRowAndRenewsTheOthers(String url) throws SQLException {
        try (JdbcLockProvider provider = Databases.at(url)) {
            List<Claim> claims = new ArrayList<>();
            TestClaim claim = TestClaim.once(provider, locked);
            TestClaim lost = TestClaim.once(provider, prefix + "lost");
            assertThat(claim.granted() && lost.granted()).isTrue();
            claims.add(claim.claim);
            claims.add(lost.claim);
            for (String name : others()) {
                TestClaim other = TestClaim.once(provider, name);
                assertThat(other.granted()).isTrue();
                claims.add(other.claim);
            }
            Databases.expire(url, prefix + "lost", Duration.ofSeconds(1));
            try (Lock open = new Lock(url, locked)) {
                List<Renewal> renewals = provider.renewAll(claims);
                assertThat(renewals.get(0))
                        .isInstanceOfSatisfying(
                                Renewal.Unknown.class,
                                unknown -> assertThat(unknown.failure())
                                        .hasMessageContaining("renewal of lock '" + locked + "'")
                                        .hasMessageContaining("another transaction has locked its row"));
                assertThat(renewals.get(1)).isInstanceOf(Renewal.Lost.class);
                assertThat(renewals.subList(2, claims.size())).hasSize(OTHERS).allMatch(Renewal.Held.class::isInstance);
                assertThatThrownBy(claim::held)
                        .isInstanceOf(LockStoreException.class)
                        .hasMessageContaining("another transaction has locked its row");
                assertThat(open.transaction.isClosed()).isFalse();
            }
            assertThat(claim.held()).isTrue();
            claims.forEach(Claim::release);
        }
    }

    /** A locked row whose lease has ended is lost: no renewal may bring it back. */
    @Proves("3.2")
    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#all")
    void lockedRowWithExpiredLeaseIsLost(String url) throws SQLException {
        try (JdbcLockProvider provider = Databases.at(url)) {
            TestClaim claim = TestClaim.once(provider, locked);
            assertThat(claim.granted()).isTrue();
            Databases.expire(url, locked, Duration.ofSeconds(1));
            try (Lock open = new Lock(url, locked)) {
                assertThat(open.transaction.isClosed()).isFalse();
                assertThat(claim.claim.renew()).isEqualTo(new Renewal.Lost(LossCause.TAKEN_OVER));
            }
        }
    }

    /** In a separate database: the sweeps of other tests would remove rows. */
    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#newOfAll")
    void sweepSkipsALockedRowAndRemovesTheOthers(String url) throws SQLException {
        try (JdbcLockProvider provider = Databases.at(url)) {
            for (String name : List.of(locked, prefix + "old")) {
                assertThat(TestClaim.once(provider, name).granted()).isTrue();
                Databases.expire(url, name, Duration.ofMinutes(2));
            }
            try (Lock open = new Lock(url, locked)) {
                provider.records().sweep();
                assertThat(open.transaction.isClosed()).isFalse();
            }
            assertThat(rows(url, locked)).isEqualTo("1");
            assertThat(rows(url, prefix + "old")).isEqualTo("0");
            provider.records().sweep();
            assertThat(rows(url, locked)).isEqualTo("0");
        }
    }

    private static String rows(String url, String name) {
        return Databases.ask(url, "SELECT count(*) FROM holdfast_lock WHERE name = '" + name + "'");
    }

    /** Counts a client's renewals. */
    private static final class Renewals implements LockListener {
        private final Map<String, Integer> done = new ConcurrentHashMap<>();
        private final Map<String, Integer> failed = new ConcurrentHashMap<>();

        @Override
        public void renewed(LockEvent event) {
            done.merge(event.lockName(), 1, Integer::sum);
        }

        @Override
        public void renewalFailed(LockEvent event, LockException failure) {
            failed.merge(event.lockName(), 1, Integer::sum);
        }

        private int done(String name) {
            return done.getOrDefault(name, 0);
        }

        private int failed(String name) {
            return failed.getOrDefault(name, 0);
        }
    }

    @Proves("3.6")
    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#all")
    @Tag("full")
    void lockedRowCostsNoOtherLockAndIsRenewedWhenUnlocked(String url) throws Exception {
        Renewals renewals = new Renewals();
        try (LockClient client =
                LockClient.builder(Databases.at(url)).listener(renewals).build()) {
            LockOptions options = LockOptions.DEFAULTS.withLeaseTime(LEASE);
            LockHandle held = client.lock(locked, options).acquire();
            List<LockHandle> handles = new ArrayList<>();
            for (String name : others()) {
                handles.add(client.lock(name, options).acquire());
            }
            try (Lock open = new Lock(url, locked)) {
                // Each has its own count, as those that came first may have been renewed once more. Two more rounds
                // would take until the lease of the locked one ends.
                Map<String, Integer> sofar = Map.copyOf(renewals.done);
                // The first failure: until then a renewal of before the row was locked may still be told.
                Waits.soon().until(() -> renewals.failed(locked) >= 1);
                int before = renewals.done(locked);
                Waits.soon()
                        .until(() -> renewals.failed(locked) >= 2
                                && others().stream()
                                        .allMatch(name -> renewals.done(name) > sofar.getOrDefault(name, 0)));
                assertThat(open.transaction.isClosed()).isFalse();
                assertThat(renewals.done(locked)).isEqualTo(before);
                assertThat(held.isHeld()).isTrue();
            }
            int before = renewals.done(locked);
            Waits.soon().until(() -> renewals.done(locked) >= before + 2);
            assertThat(held.isHeld()).isTrue();
            assertThat(handles).hasSize(OTHERS).allMatch(LockHandle::isHeld);
            assertThat(others()).allMatch(name -> renewals.failed(name) == 0);

            try (Lock open = new Lock(url, locked)) {
                Waits.soon().until(() -> held.lost().toCompletableFuture().isDone());
                assertThat(open.transaction.isClosed()).isFalse();
                assertThat(held.lost().toCompletableFuture().join()).isEqualTo(LossCause.STORE_LOST);
                int sofar = others().stream().mapToInt(renewals::done).max().orElseThrow();
                Waits.soon().until(() -> others().stream().allMatch(name -> renewals.done(name) >= sofar + 2));
                assertThat(handles).allMatch(LockHandle::isHeld);
            }
        }
    }
}
