package io.holdfast.lock.core.runtime;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads of one client: the only place in the engine that makes any. All are daemons, made on demand; all but
 * the timer's are given back when idle.
 *
 * <p>Store calls are bounded, so that many asynchronous acquires queue here instead of exhausting the store's connections.
 * Callbacks are not: a bound there would let one user's blocking callback hold up another's.
 */
public final class EngineThreads {

    private static final int MAX_STORE_CALLS = 64;
    private static final int MAX_RELEASES = 16;
    private static final int MAX_RENEWALS = 16;
    private static final int MAX_CALLBACKS = 64;
    private static final long IDLE_SECONDS = 5;

    /** A thread that hangs in the store is left to its time-out. */
    private static final Duration GOODBYE = Duration.ofSeconds(1);

    private EngineThreads() {}

    /** Starts the timer's thread; the others start with their first task. */
    public static EngineRuntime start(String clientId) {
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, factory(clientId, "timer"));
        boolean unused = timer.prestartCoreThread();
        timer.setRemoveOnCancelPolicy(true);
        timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        ExecutorService storeCalls = bounded(MAX_STORE_CALLS, factory(clientId, "store"));
        ExecutorService releases = bounded(MAX_RELEASES, factory(clientId, "release"));
        ExecutorService virtualCallers = bounded(MAX_STORE_CALLS, factory(clientId, "call"));
        ExecutorService renewals = bounded(MAX_RENEWALS, factory(clientId, "renewal"));
        ExecutorService callbacks = bounded(MAX_CALLBACKS, factory(clientId, "callback"));
        List<ExecutorService> all = List.of(timer, storeCalls, releases, virtualCallers, renewals, callbacks);
        return new EngineRuntime(
                new SystemTicker(),
                (task, delayNanos) -> schedule(timer, task, delayNanos),
                storeCalls,
                releases,
                virtualCallers,
                renewals,
                callbacks,
                () -> {
                    all.forEach(ExecutorService::shutdown);
                    // Not for the callbacks: what they run is the application's, which may be closing the client
                    // itself.
                    join(List.of(timer, storeCalls, releases, virtualCallers, renewals));
                });
    }

    /** Waits a moment for threads that have nothing left to do, and through interrupts. */
    private static void join(List<ExecutorService> executors) {
        for (ExecutorService executor : executors) {
            Uninterruptibly.run(() -> {
                boolean unused = executor.awaitTermination(GOODBYE.toMillis(), TimeUnit.MILLISECONDS);
            });
        }
    }

    private static Scheduler.Scheduled schedule(ScheduledThreadPoolExecutor timer, Runnable task, long delayNanos) {
        try {
            Future<?> scheduled = timer.schedule(task, delayNanos, TimeUnit.NANOSECONDS);
            return () -> scheduled.cancel(false);
        } catch (RejectedExecutionException closed) {
            // The client is closed: nothing is waited for or renewed any more, so there is nothing to be late for.
            return () -> {};
        }
    }

    private static ExecutorService bounded(int threads, ThreadFactory factory) {
        ThreadPoolExecutor executor = new ThreadPoolExecutor(
                threads, threads, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), factory);
        executor.allowCoreThreadTimeOut(true);
        return executor;
    }

    private static ThreadFactory factory(String clientId, String role) {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, "holdfast-" + clientId + "-" + role + "-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }
}
