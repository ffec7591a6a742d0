package io.holdfast.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.NamedToken;
import io.holdfast.lock.StaleTokenException;
import io.holdfast.parts.Proves;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The guard that keeps its floors in a table beside the application's. */
@Tag("server")
class TableFenceTest {

    private static final String LOCK = "stock:lamp";
    private static final TableFence FENCE = TableFence.table("holdfast_fence");

    private static NamedToken token(long number) {
        return new NamedToken(LOCK, 0, new FencingToken(number));
    }

    private static Connection fenced(String url) throws SQLException {
        try (Connection operator = Databases.connect(url)) {
            FENCE.create(operator);
            FENCE.create(operator);
        }
        return transactional(url);
    }

    private static Connection transactional(String url) throws SQLException {
        Connection connection = Databases.connect(url);
        connection.setAutoCommit(false);
        return connection;
    }

    @Proves({"6.4", "6.6"})
    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#newOfAll")
    void earlierHolderIsRefusedAndTheFloorStays(String url) throws SQLException {
        try (Connection connection = fenced(url)) {
            FENCE.enter(connection, LOCK, token(9));
            FENCE.enter(connection, LOCK, token(9));
            FENCE.enter(connection, LOCK, token(10));
            connection.commit();

            assertThatThrownBy(() -> FENCE.enter(connection, LOCK, token(9)))
                    .isInstanceOfSatisfying(
                            StaleTokenException.class,
                            stale -> assertThat(stale.floor()).isEqualTo(10));
            connection.commit();
            FENCE.enter(connection, LOCK, token(10));
            FENCE.enter(connection, "a", new NamedToken("a", 0, new FencingToken(1)));
            FENCE.enter(connection, LOCK, token(2).inEpoch(1));
            connection.commit();
            assertThatThrownBy(() -> FENCE.enter(connection, LOCK, token(5000)))
                    .isInstanceOf(StaleTokenException.class)
                    .hasMessageContaining("before the lock store lost its data");
            FENCE.enter(connection, LOCK, token(2).inEpoch(1));
            assertThatThrownBy(() -> FENCE.enter(connection, "a", token(9)))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void entryWithAutoCommitIsRefused() throws SQLException {
        try (Connection connection = fenced(Databases.newH2())) {
            connection.setAutoCommit(true);
            assertThatThrownBy(() -> FENCE.enter(connection, LOCK, token(9)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageStartingWith("Auto-commit is on");
        }
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#newOfAll")
    void rowOfTheLockIsLockedFromTheEntryToTheCommit(String url) throws SQLException {
        try (Connection connection = fenced(url);
                Connection later = transactional(url)) {
            FENCE.enter(connection, LOCK, token(8));
            connection.commit();
            FENCE.enter(connection, LOCK, token(9));
            FenceRaces.Waiting next = FenceRaces.waiting(url, later, () -> FENCE.enter(later, LOCK, token(10)));
            next.requireBlocked();
            connection.commit();
            next.requireDone();
            later.commit();
            assertThatThrownBy(() -> FENCE.enter(connection, LOCK, token(9))).isInstanceOf(StaleTokenException.class);
        }
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#newOfAll")
    void nameOfTheTableMayBeAsLongAsTheDatabasesAllow(String url) throws SQLException {
        TableFence fence = TableFence.table("f".repeat(63));
        try (Connection connection = Databases.connect(url)) {
            fence.create(connection);
            connection.setAutoCommit(false);
            fence.enter(connection, LOCK, token(2));
            connection.commit();
            assertThatThrownBy(() -> fence.enter(connection, LOCK, token(1))).isInstanceOf(StaleTokenException.class);
        }
        assertThatThrownBy(() -> TableFence.table("f".repeat(64))).isInstanceOf(LockConfigurationException.class);
    }

    /** PostgreSQL: the second creation waits for the first one, and fails as the table is there then. */
    @Test
    void creationIsRepeatedIfAnotherOneWasFaster() throws SQLException {
        String url = Databases.newPostgreSql();
        try (Connection first = transactional(url);
                Connection second = Databases.connect(url)) {
            FENCE.create(first);
            FenceRaces.Waiting creation = FenceRaces.waiting(url, second, () -> FENCE.create(second));
            creation.requireBlocked();
            first.commit();
            creation.requireDone();
            assertThat(Databases.ask(url, "SELECT count(*) FROM holdfast_fence"))
                    .isEqualTo("0");
        }
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#newOfAll")
    void creationsAtTheSameTimeAllSucceed(String url) throws Exception {
        CyclicBarrier together = new CyclicBarrier(6);
        ExecutorService threads = Executors.newFixedThreadPool(6);
        try {
            List<Future<?>> creations = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                creations.add(threads.submit(() -> {
                    try (Connection own = Databases.connect(url)) {
                        together.await();
                        FENCE.create(own);
                    }
                    return null;
                }));
            }
            for (Future<?> creation : creations) {
                creation.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** Also the first ones, for which there is no row yet, and of names whose rows are neighbours. */
    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#newOfAll")
    void entriesInAnyOrderLeaveTheHighestToken(String url) throws Exception {
        fenced(url).close();
        List<Long> tokens =
                new ArrayList<>(LongStream.rangeClosed(1, 60).boxed().toList());
        Collections.shuffle(tokens);
        ExecutorService threads = Executors.newFixedThreadPool(6);
        try {
            List<Future<?>> entries = new ArrayList<>();
            for (long number : tokens) {
                entries.add(threads.submit(() -> {
                    for (String name : List.of("a", "b", "c" + number % 10)) {
                        enterOnce(url, new NamedToken(name, 0, new FencingToken(number)));
                    }
                    return null;
                }));
            }
            for (Future<?> entry : entries) {
                entry.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(Databases.ask(url, "SELECT max(fence) FROM holdfast_fence WHERE name = 'b'"))
                .isEqualTo("60");
        assertThat(Databases.ask(url, "SELECT count(*) FROM holdfast_fence")).isEqualTo("12");
    }

    private static void enterOnce(String url, NamedToken token) throws SQLException {
        try (Connection own = transactional(url)) {
            FENCE.enter(own, token.lockName(), token);
            own.commit();
        } catch (StaleTokenException superseded) {
            assertThat(superseded.floor()).isGreaterThan(token.token().value());
        }
    }
}
