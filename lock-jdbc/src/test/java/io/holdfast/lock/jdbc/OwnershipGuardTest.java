package io.holdfast.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.NamedToken;
import io.holdfast.lock.jdbc.jpa.JpaLockProvider;
import io.holdfast.lock.jdbc.jpa.JpaLockProvider.Strategy;
import io.holdfast.lock.jdbc.table.LockRecords;
import io.holdfast.parts.TestClaim;
import io.holdfast.parts.Waits;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The guard that looks at the lock's own record, in the transaction that the lock protects. */
@Tag("server")
class OwnershipGuardTest {

    private static final OwnershipGuard GUARD = OwnershipGuard.table("holdfast_lock");
    private static final LockOptions UNRENEWED = LockOptions.DEFAULTS.withoutRenewal();

    /** A test waits for its end, and the guard has to pass before that. */
    private static final Duration SHORT = Duration.ofSeconds(3);

    private static Connection transactional(String url) throws SQLException {
        Connection connection = Databases.connect(url);
        connection.setAutoCommit(false);
        return connection;
    }

    private static void lost(Connection connection, NamedToken token, LossCause cause) throws SQLException {
        assertThatThrownBy(() -> GUARD.requireHeld(connection, token.lockName(), token))
                .isInstanceOfSatisfying(
                        LockLostException.class,
                        lost -> assertThat(lost.lossCause()).isEqualTo(cause));
        connection.rollback();
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#newOfAll")
    void onlyTheHolderPasses(String url) throws Exception {
        try (LockClient client = LockClient.builder(Databases.at(url)).build();
                LockClient rival = LockClient.builder(Databases.at(url)).build();
                Connection connection = transactional(url)) {
            LockHandle held = client.lock("a").acquire();
            NamedToken token = held.namedToken();
            assertThat(token).isEqualTo(new NamedToken("a", 0, held.fencingToken()));
            GUARD.requireHeld(connection, "a", token);
            connection.commit();

            assertThat(held.renew()).isTrue();
            GUARD.requireHeld(connection, "a", token);
            connection.commit();
            NamedToken other = new NamedToken("b", 0, token.token());
            lost(connection, other, LossCause.TAKEN_OVER);

            Databases.expire(url, "a", Duration.ofSeconds(1));
            lost(connection, token, LossCause.EXPIRED);
            try (LockHandle next = rival.lock("a", UNRENEWED).acquire()) {
                lost(connection, token, LossCause.TAKEN_OVER);
                GUARD.requireHeld(connection, "a", next.namedToken());
                connection.commit();
            }
            assertThat(held.release()).isFalse();
        }
    }

    /** The record has the first token of the grant. */
    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#newOfAll")
    void holderToWhomTheLockWasPassedOnPasses(String url) throws Exception {
        try (LockClient client = LockClient.builder(Databases.at(url)).build();
                LockClient rival = LockClient.builder(Databases.at(url)).build();
                Connection connection = transactional(url)) {
            LockHandle second = passedOn(client);
            GUARD.requireHeld(connection, "a", second.namedToken());
            connection.commit();

            second.release();
            try (LockHandle next = rival.lock("a").acquire()) {
                lost(connection, second.namedToken(), LossCause.TAKEN_OVER);
                GUARD.requireHeld(connection, "a", next.namedToken());
                connection.rollback();
                FencingToken later = new FencingToken(next.fencingToken().value() + LockRecords.MOST_TOKENS);
                lost(connection, new NamedToken("a", 0, later), LossCause.TAKEN_OVER);
            }
        }
    }

    /** A hold that was passed on. That ends a second after the grant: on a slow machine the store may grant the lock instead. */
    private static LockHandle passedOn(LockClient client) throws Exception {
        for (int round = 0; round < 10; round++) {
            LockHandle before = client.lock("a").acquire();
            List<CompletableFuture<LockHandle>> waiting = Stream.generate(
                            () -> client.lock("a").acquireAsync().toCompletableFuture())
                    .limit(3)
                    .toList();
            before.release();
            // Its attempt may have been sent before the others waited: then it has one token.
            waiting.get(0).get(30, TimeUnit.SECONDS).release();
            LockHandle first = waiting.get(1).get(30, TimeUnit.SECONDS);
            first.release();
            LockHandle second = waiting.get(2).get(30, TimeUnit.SECONDS);
            if (second.fencingToken().value() == first.fencingToken().value() + 1) {
                return second;
            }
            second.release();
        }
        throw new AssertionError("the lock was never passed on");
    }

    @Test
    void tokenOfAnotherLockIsRefusedWhoeverHoldsThat() throws SQLException, InterruptedException {
        String url = Databases.newH2();
        try (LockClient client = LockClient.builder(Databases.at(url)).build();
                LockHandle other = client.lock("b").acquire();
                Connection connection = transactional(url)) {
            assertThatThrownBy(() -> GUARD.requireHeld(connection, "a", other.namedToken()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("'b'", "allowed is one of the lock 'a'");
        }
    }

    /** As H2 reads its clock once in a transaction. Nobody else has had the lock, so that is no overlap. */
    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#newOfAll")
    void leaseThatEndsDuringTheTransactionPassesInH2Alone(String url) throws Exception {
        try (LockClient client = LockClient.builder(Databases.at(url)).build();
                LockClient rival = LockClient.builder(Databases.at(url)).build();
                Connection connection = transactional(url);
                Statement statement = connection.createStatement()) {
            LockHandle held = client.lock("a", UNRENEWED).acquire();
            statement.execute("SELECT CURRENT_TIMESTAMP");
            Databases.expire(url, "a", Duration.ZERO);
            if (url.startsWith("jdbc:h2:")) {
                GUARD.requireHeld(connection, "a", held.namedToken());
                connection.rollback();
                statement.execute("SELECT CURRENT_TIMESTAMP");
            } else {
                lost(connection, held.namedToken(), LossCause.EXPIRED);
            }
            try (LockHandle next = rival.lock("a").acquire()) {
                assertThat(next.fencingToken()).isGreaterThan(held.fencingToken());
                lost(connection, held.namedToken(), LossCause.TAKEN_OVER);
            }
            assertThat(held.release()).isFalse();
        }
    }

    /** The lease ends between the guard and the commit: the next grant still comes after the commit. */
    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#newOfAll")
    void nobodyIsGrantedTheLockBetweenTheGuardAndTheCommit(String url) throws Exception {
        try (LockClient client = LockClient.builder(Databases.at(url)).build();
                LockClient rival = LockClient.builder(Databases.at(url)).build();
                Connection connection = transactional(url)) {
            assertThat(rival.holder("a")).isEmpty();
            LockHandle held = client.lock("a", UNRENEWED.withLeaseTime(SHORT)).acquire();
            GUARD.requireHeld(connection, "a", held.namedToken());
            held.lost().toCompletableFuture().join();

            CompletableFuture<Optional<LockHandle>> next =
                    rival.lock("a").tryAcquireAsync(Duration.ofSeconds(30)).toCompletableFuture();
            FenceRaces.awaitBlocked(url, next);
            connection.commit();
            try (LockHandle after = next.get(30, TimeUnit.SECONDS).orElseThrow()) {
                assertThat(after.fencingToken()).isGreaterThan(held.fencingToken());
                lost(connection, held.namedToken(), LossCause.TAKEN_OVER);
            }
            assertThat(held.release()).isFalse();
        }
    }

    /** The databases that only read in an attempt that is refused do not wait for the record. */
    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#newOfAll")
    void attemptDuringTheLeaseWaitsForTheTransactionInMariaDbAlone(String url) throws Exception {
        try (JdbcLockProvider locks = Databases.at(url);
                JdbcLockProvider rival = Databases.at(url);
                Connection connection = transactional(url)) {
            assertThat(rival.holder("a")).isEmpty();
            long token = TestClaim.once(locks, "a").token();
            GUARD.requireHeld(connection, "a", new NamedToken("a", 0, new FencingToken(token)));
            CompletableFuture<Boolean> attempt = CompletableFuture.supplyAsync(
                    () -> TestClaim.once(rival, "a").granted());
            if (url.startsWith("jdbc:mariadb:")) {
                FenceRaces.awaitBlocked(url, attempt);
                connection.commit();
            }
            assertThat(attempt.get(30, TimeUnit.SECONDS)).isFalse();
            connection.commit();
        }
    }

    @ParameterizedTest
    @EnumSource
    void attemptByJpaAfterTheLeaseIsRefusedOrFails(Strategy strategy) throws SQLException {
        String url = Databases.SharedPostgreSql.URL;
        String name = "name-" + UUID.randomUUID();
        try (JdbcLockProvider locks = Databases.at(url);
                JpaLockProvider rival = JpaLockProvider.over(JpaUnits.factory(url))
                        .strategy(strategy)
                        .timeout(Duration.ofSeconds(2))
                        .build();
                Connection connection = transactional(url)) {
            long token = TestClaim.owned(locks, name, "owner", SHORT).token();
            GUARD.requireHeld(connection, name, new NamedToken(name, 0, new FencingToken(token)));
            Waits.soon().until(() -> locks.holder(name).isEmpty());
            if (strategy == Strategy.PESSIMISTIC) {
                assertThat(TestClaim.once(rival, name).granted()).isFalse();
            } else {
                assertThatThrownBy(TestClaim.once(rival, name)::granted).isInstanceOf(LockStoreException.class);
            }
            connection.commit();
            assertThat(TestClaim.once(rival, name).token()).isGreaterThan(token);
        }
    }

    /** A transaction that has passed the guard delays the renewals of its own lock alone. */
    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#newOfAll")
    void renewalsDoNotWaitForTheTransaction(String url) throws Exception {
        try (LockClient client = LockClient.builder(Databases.at(url)).build();
                Connection connection = transactional(url)) {
            try (LockHandle held = client.lock("a").acquire();
                    LockHandle other = client.lock("b").acquire()) {
                GUARD.requireHeld(connection, "a", held.namedToken());
                assertThat(other.renew()).isTrue();
                assertThatThrownBy(held::renew)
                        .isInstanceOf(LockStoreException.class)
                        .hasMessageContaining("another transaction has locked its row");
                assertThat(held.isHeld()).isTrue();
                connection.commit();
                assertThat(held.renew()).isTrue();
            }
        }
    }

    @Test
    void autoCommitIsRefused() throws SQLException {
        String url = Databases.newH2();
        try (Connection connection = Databases.connect(url)) {
            NamedToken token = new NamedToken("a", 0, new FencingToken(1));
            assertThatThrownBy(() -> GUARD.requireHeld(connection, "a", token))
                    .isInstanceOf(IllegalStateException.class);
        }
    }
}
