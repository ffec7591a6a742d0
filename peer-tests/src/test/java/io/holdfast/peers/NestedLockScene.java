package io.holdfast.peers;

import static io.holdfast.parts.Waits.letPass;
import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A lock in another library's table around one of ours: the three steps of a roll-out exclude their neighbours. */
abstract class NestedLockScene {

    static final String NAME = "report";
    static final Duration LONG = Duration.ofSeconds(30);
    static final Duration SHORT = Duration.ofSeconds(1);
    private static final int ROUNDS = 60;

    LockClient client;
    DataSource database;

    /** How one process of the fleet runs its work in one step of the move. */
    interface Step {
        /** Asks once for the locks of the step, on the caller's thread. */
        boolean ran(Runnable work) throws InterruptedException;
    }

    /** Creates the library's table. */
    abstract String table();

    /** Their lock alone, as before the move; each call is a process of its own. */
    abstract Step theirs(Duration lease);

    /** Both locks, theirs outside. */
    abstract Step both();

    private Step ours() {
        return work -> client.lock(NAME).tryRun(Duration.ZERO, work::run);
    }

    @BeforeEach
    void open() throws Exception {
        String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
        JdbcDataSource h2 = new JdbcDataSource();
        h2.setURL(url);
        database = h2;
        try (var connection = h2.getConnection();
                var statement = connection.createStatement()) {
            statement.execute(table());
        }
        client = LockClient.builder(url).property("createTable", "true").build();
    }

    @AfterEach
    void close() {
        client.close();
    }

    private static List<Boolean> whileRunning(Step holder, Step... others) throws InterruptedException {
        List<Boolean> ran = new ArrayList<>();
        assertThat(holder.ran(() -> {
                    for (Step other : others) {
                        ran.add(runs(other));
                    }
                }))
                .isTrue();
        return ran;
    }

    /** In another thread, as both libraries let a thread re-enter. */
    private static boolean runs(Step step) {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try {
            return thread.submit(() -> step.ran(() -> {})).get(30, TimeUnit.SECONDS);
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        } finally {
            thread.shutdownNow();
        }
    }

    @Test
    void theirLockExcludesTheirsAndBoth() throws InterruptedException {
        assertThat(whileRunning(theirs(LONG), theirs(LONG), both())).containsOnly(false);
        assertThat(runs(both())).isTrue();
    }

    @Test
    void bothExcludeAllThreeSteps() throws InterruptedException {
        assertThat(whileRunning(both(), theirs(LONG), both(), ours())).containsOnly(false);
        assertThat(runs(theirs(LONG))).isTrue();
        assertThat(runs(ours())).isTrue();
    }

    @Test
    void ourLockExcludesBothWhichThenLeaveTheirsFree() throws InterruptedException {
        assertThat(whileRunning(ours(), both(), theirs(LONG)))
                .as("theirs is free, so the first and the last step must not run side by side")
                .containsExactly(false, true);
        assertThat(runs(both())).isTrue();
    }

    @Test
    void failureOfTheWorkFreesBoth() throws InterruptedException {
        assertThatThrownBy(() -> both().ran(() -> {
                    throw new UnsupportedOperationException("planted");
                }))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessage("planted");
        assertThat(runs(theirs(LONG))).isTrue();
        assertThat(runs(ours())).isTrue();
    }

    @Test
    void endOfTheirLeaseLetsBothInButNotWhileOursIsHeld() throws InterruptedException {
        try (LockHandle held = client.lock(NAME).acquire()) {
            assertThat(held.isHeld()).isTrue();
            assertThat(runs(both())).isFalse();
        }
        // Their holder outlives its lease: the next one gets in, as without the move.
        assertThat(theirs(SHORT).ran(() -> soon().until(() -> runs(both())))).isTrue();
    }

    @Test
    void neighbouringStepsNeverOverlap() throws Exception {
        for (List<Step> fleet :
                List.of(List.of(theirs(LONG), both(), theirs(LONG), both()), List.of(both(), ours(), both(), ours()))) {
            AtomicInteger inside = new AtomicInteger();
            AtomicInteger overlaps = new AtomicInteger();
            AtomicInteger done = new AtomicInteger();
            CountDownLatch eachHasRun = new CountDownLatch(fleet.size());
            ExecutorService threads = Executors.newFixedThreadPool(fleet.size());
            List<Future<?>> processes = new ArrayList<>();
            for (Step step : fleet) {
                processes.add(threads.submit(() -> {
                    boolean hasRun = false;
                    while (done.get() < ROUNDS || eachHasRun.getCount() > 0) {
                        boolean ran = step.ran(() -> {
                            if (inside.incrementAndGet() > 1) {
                                overlaps.incrementAndGet();
                            }
                            letPass(Duration.ofMillis(1));
                            inside.decrementAndGet();
                            done.incrementAndGet();
                        });
                        if (ran && !hasRun) {
                            hasRun = true;
                            eachHasRun.countDown();
                        }
                    }
                    return true;
                }));
            }
            for (Future<?> process : processes) {
                process.get(180, TimeUnit.SECONDS);
            }
            threads.shutdown();
            assertThat(overlaps).hasValue(0);
        }
    }
}
