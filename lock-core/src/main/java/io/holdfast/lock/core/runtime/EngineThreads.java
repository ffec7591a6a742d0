package io.holdfast.lock.core.runtime;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads of one client: the only place in the engine that makes any. All are daemons. The timer's thread and one for
 * renewals start with the client, so that leases are kept when the system has no more threads; the others start on demand and end
 * when idle.
 *
 * <p>All pools are bounded, so that many asynchronous acquires queue here instead of exhausting the store's connections.
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

    /** Starts the threads of a client. */
    public static EngineRuntime start(String clientId) {
        Ticker ticker = new SystemTicker();
        Timer timer = Timer.start(ticker, factory(clientId, "timer"));
        ExecutorService storeCalls = pool(0, MAX_STORE_CALLS, factory(clientId, "store"));
        ExecutorService releases = pool(0, MAX_RELEASES, factory(clientId, "release"));
        ExecutorService virtualCallers = pool(0, MAX_STORE_CALLS, factory(clientId, "call"));
        ThreadPoolExecutor renewals = pool(1, MAX_RENEWALS, factory(clientId, "renewal"));
        ExecutorService callbacks = pool(0, MAX_CALLBACKS, factory(clientId, "callback"));
        try {
            int unused = renewals.prestartAllCoreThreads();
        } catch (OutOfMemoryError noThread) {
            timer.close();
            throw noThread;
        }
        List<ExecutorService> all = List.of(storeCalls, releases, virtualCallers, renewals, callbacks);
        return new EngineRuntime(ticker, timer, storeCalls, releases, virtualCallers, renewals, callbacks, () -> {
            timer.close();
            all.forEach(ExecutorService::shutdown);
            // Not for the callbacks: what they run is the application's, which may be closing the client
            // itself.
            Uninterruptibly.run(() -> timer.join(GOODBYE.toMillis()));
            join(List.of(storeCalls, releases, virtualCallers, renewals));
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

    /** A task goes to an idle thread, else to a new one; it waits if there are as many as may be. */
    private static ThreadPoolExecutor pool(int permanent, int most, ThreadFactory factory) {
        IdleFirst queue = new IdleFirst();
        return new ThreadPoolExecutor(permanent, most, IDLE_SECONDS, TimeUnit.SECONDS, queue, factory, queue::enqueue);
    }

    /** A queue that refuses an offer if no thread waits for a task, so that the pool starts one. */
    private static final class IdleFirst extends LinkedTransferQueue<Runnable> {
        private static final long serialVersionUID = 1;

        @Override
        public boolean offer(Runnable task) {
            return tryTransfer(task);
        }

        /** Called if the pool has all the threads that it may have, or is shut down. */
        void enqueue(Runnable task, ThreadPoolExecutor pool) {
            boolean unused = super.offer(task);
            if (pool.isShutdown() && remove(task)) {
                throw new RejectedExecutionException("The client is closed");
            }
        }
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
