package io.holdfast.lock.jdbc;

import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads on which a provider asks a pool for connections. Daemons, started on demand; an idle thread takes the
 * next task before another thread is started.
 */
final class BorrowingThreads {

    /** The most threads. Further tasks are queued until a thread is free. */
    private static final int MOST = 64;

    private static final long IDLE_SECONDS = 5;

    private BorrowingThreads() {}

    static ThreadPoolExecutor start() {
        AtomicInteger number = new AtomicInteger();
        HandOffQueue queue = new HandOffQueue();
        return new ThreadPoolExecutor(
                0,
                MOST,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                queue,
                task -> {
                    Thread thread = new Thread(task, "holdfast-jdbc-borrowing-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                },
                (task, full) -> {
                    if (full.isShutdown()) {
                        throw new RejectedExecutionException("closed");
                    }
                    queue.put(task);
                });
    }

    /**
     * Accepts a task only if an idle thread takes it at once; otherwise the pool starts a thread, or queues the task if
     * there are too many.
     */
    private static final class HandOffQueue extends LinkedTransferQueue<Runnable> {
        private static final long serialVersionUID = 1L;

        @Override
        public boolean offer(Runnable task) {
            return tryTransfer(task);
        }
    }
}
