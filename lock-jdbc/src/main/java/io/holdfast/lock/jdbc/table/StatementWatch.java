package io.holdfast.lock.jdbc.table;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Looks at all running statements from time to time, and cancels those that have run for too long. For a driver whose own limits
 * wake a thread with each statement, which takes longer than what a lock's statement does. While no statement runs, nothing is
 * looked at, and the thread ends.
 */
final class StatementWatch implements StatementLimits {

    private static final Logger LOG = System.getLogger("io.holdfast.lock");

    /** So much later than its limit a statement may be cancelled. The connection is given up a second after the limit. */
    static final Duration BETWEEN_LOOKS = Duration.ofMillis(250);

    private static final long IDLE_SECONDS = 5;

    private final Set<Running> running = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean looking = new AtomicBoolean();
    private final ScheduledThreadPoolExecutor thread;

    /** Whether a statement began since the last look. */
    private volatile boolean inUse;

    StatementWatch() {
        this(task -> {
            Thread looker = new Thread(task, "holdfast-jdbc-limits");
            looker.setDaemon(true);
            return looker;
        });
    }

    /** As usual, with threads of another kind. */
    StatementWatch(ThreadFactory threads) {
        thread = new ScheduledThreadPoolExecutor(1, threads);
        thread.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        thread.allowCoreThreadTimeOut(true);
    }

    /** A running statement. Two of them are never equal, whatever the driver says of its statements, so this is no record. */
    private static final class Running {
        private final PreparedStatement statement;
        private final Duration limit;
        private final Stopwatch run = new Stopwatch();

        Running(PreparedStatement statement, Duration limit) {
            this.statement = statement;
            this.limit = limit;
        }

        boolean isOverdue() {
            return run.hasRunFor(limit);
        }

        /** Has no effect on a statement that has just ended. */
        void cancel() {
            try {
                statement.cancel();
            } catch (SQLException | RuntimeException unable) {
                // The limit of the network ends the call.
                LOG.log(Level.DEBUG, "A statement that ran for too long could not be cancelled", unable);
            }
        }
    }

    @Override
    public <T extends @Nullable Object> T run(PreparedStatement statement, Duration limit, Sql.Execution<T> execution)
            throws SQLException {
        Running begun = new Running(statement, limit);
        running.add(begun);
        try {
            inUse = true;
            if (looking.compareAndSet(false, true)) {
                lookLater();
            }
            return execution.of(statement);
        } finally {
            running.remove(begun);
        }
    }

    private void lookLater() {
        try {
            Future<?> unused = thread.schedule(this::look, BETWEEN_LOOKS.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException closed) {
            // The network's limit is left.
            return;
        }
    }

    private void look() {
        running.stream().filter(Running::isOverdue).forEach(Running::cancel);
        if (inUse || !running.isEmpty()) {
            inUse = false;
            lookLater();
            return;
        }
        looking.set(false);
        // One may have begun just before.
        if (inUse && looking.compareAndSet(false, true)) {
            lookLater();
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
