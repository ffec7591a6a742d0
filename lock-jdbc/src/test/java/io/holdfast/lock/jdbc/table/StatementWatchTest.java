package io.holdfast.lock.jdbc.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.parts.Waits;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class StatementWatchTest {

    /** Takes many seconds. */
    private static final String LENGTHY = "SELECT COUNT(*) FROM SYSTEM_RANGE(1, 300000000) WHERE MOD(X, 2) = 3";

    private static final Duration SHORT = Duration.ofMillis(100);
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final String CANCELLED = "57014";
    private static final int MANY = 10_000;

    private final List<Thread> started = new CopyOnWriteArrayList<>();

    @AutoClose
    private final StatementWatch watch = new StatementWatch(task -> {
        Thread thread = new Thread(task);
        started.add(thread);
        return thread;
    });

    private boolean run(PreparedStatement statement, Duration limit) throws SQLException {
        return watch.run(statement, limit, PreparedStatement::execute);
    }

    private ThrowingCallable lengthy(Duration limit) {
        return () -> {
            try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:");
                    PreparedStatement statement = connection.prepareStatement(LENGTHY)) {
                boolean unused = run(statement, limit);
            }
        };
    }

    private void assertIsCancelled(Duration limit) {
        assertThatThrownBy(lengthy(limit))
                .isInstanceOfSatisfying(
                        SQLException.class,
                        failure -> assertThat(failure.getSQLState()).isEqualTo(CANCELLED));
    }

    /** Between the two the watch has seen that no statement runs, and looks at nothing. */
    @Test
    void statementIsCancelledAfterItsLimitAlsoAfterARest() {
        assertIsCancelled(SHORT);
        Waits.letPass(StatementWatch.BETWEEN_LOOKS.multipliedBy(3));
        assertIsCancelled(SHORT);
    }

    @Test
    void statementWithinItsLimitIsLeftAlone() throws Exception {
        try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:");
                PreparedStatement patient = connection.prepareStatement(LENGTHY)) {
            CompletableFuture<Boolean> running = CompletableFuture.supplyAsync(() -> {
                try {
                    return run(patient, LONG);
                } catch (SQLException cancelled) {
                    return cancelled.getSQLState().equals(CANCELLED);
                }
            });
            assertIsCancelled(SHORT);
            assertThat(running).isNotDone();
            Waits.answered().until(() -> {
                patient.cancel();
                return running.isDone();
            });
            assertThat(running.get(Waits.FAULT_BOUND.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
        }
    }

    /** The timers of drivers do, and the wake-up takes longer than the statement. */
    @Test
    void statementsDoNotWakeTheThread() throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:");
                PreparedStatement statement = connection.prepareStatement("SELECT 1")) {
            Stopwatch time = new Stopwatch();
            for (int i = 0; i < MANY; i++) {
                assertThat(run(statement, LONG)).isTrue();
            }
            long looks = 1 + LONG.minus(time.leftOf(LONG)).dividedBy(StatementWatch.BETWEEN_LOOKS);
            assertThat(started).hasSize(1);
            assertThat(ManagementFactory.getThreadMXBean()
                            .getThreadInfo(started.get(0).getId())
                            .getWaitedCount())
                    .isLessThanOrEqualTo(2 * looks + 2);
        }
    }

    @Test
    void closedWatchLeavesNoThreadAndHindersNoStatement() throws Exception {
        assertIsCancelled(SHORT);
        watch.close();
        started.get(0).join(Waits.FAULT_BOUND.toMillis());
        assertThat(started.get(0).isAlive()).isFalse();
        try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:");
                PreparedStatement statement = connection.prepareStatement("SELECT 1")) {
            assertThat(run(statement, SHORT)).isTrue();
        }
    }
}
