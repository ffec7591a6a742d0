package io.holdfast.lock.core.runtime;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * The clock, the timer and the threads of one client. The executors are separate so that none can starve another: a hanging
 * attempt delays no renewal, and a blocking callback of the application delays neither.
 *
 * @param ticker the monotonic clock
 * @param scheduler timers
 * @param storeCalls runs the steps of asynchronous acquires
 * @param releases runs the releases of abandoned claims
 * @param callsOfVirtualThreads runs the store calls that a virtual thread waits for; nothing that it runs waits for another call
 * @param renewals runs renewals
 * @param callbacks runs listeners and the dependents of futures
 * @param shutdown ends the threads after what was submitted has run
 */
public record EngineRuntime(
        Ticker ticker,
        Scheduler scheduler,
        Executor storeCalls,
        Executor releases,
        Executor callsOfVirtualThreads,
        Executor renewals,
        Executor callbacks,
        Runnable shutdown) {

    private static final long NO_THREAD_PAUSE_NANOS = Duration.ofMillis(100).toNanos();

    /** The reading of the monotonic clock in nanoseconds. */
    public long now() {
        return ticker.nanos();
    }

    /**
     * The same runtime with the one policy for what breaks: a task that throws is logged, and a task for which the system has
     * no thread is submitted again after a moment. The timer has its thread from the start. Who submits a call of a virtual
     * thread waits for it, and has a way without a thread.
     */
    public EngineRuntime reliable() {
        Scheduler timers = (task, delayNanos) -> scheduler.schedule(() -> run(task), delayNanos);
        return new EngineRuntime(
                ticker,
                timers,
                task -> submit(storeCalls, task),
                task -> submit(releases, task),
                callsOfVirtualThreads,
                task -> submit(renewals, task),
                task -> submit(callbacks, task),
                shutdown);
    }

    /**
     * Submits a task.
     *
     * @throws RejectedExecutionException if the client is closed
     */
    private void submit(Executor executor, Runnable task) {
        try {
            executor.execute(() -> run(task));
        } catch (OutOfMemoryError noThread) {
            // Java throws it if the system starts no more threads.
            scheduler.schedule(() -> run(() -> submit(executor, task)), NO_THREAD_PAUSE_NANOS);
        }
    }

    /** Runs a task. What it throws is logged, and does not reach the caller. */
    public static void run(Runnable task) {
        try {
            task.run();
        } catch (RejectedExecutionException closed) {
            // The task had more to submit, and the client was closed meanwhile.
            return;
        } catch (RuntimeException | Error broken) {
            LockLog.write(Level.ERROR, "A task of the lock client broke", broken);
        }
    }
}
