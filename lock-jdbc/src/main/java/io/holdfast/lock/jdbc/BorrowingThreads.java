package io.holdfast.lock.jdbc;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The threads on which a provider asks a data source of the application for connections. Daemons, made on demand. */
final class BorrowingThreads {

    /** As many wait for a connection at the same time, at most. Who comes later waits for one of them to get it. */
    private static final int MOST = 64;

    private static final long IDLE_SECONDS = 5;

    private BorrowingThreads() {}

    static ExecutorService start() {
        AtomicInteger number = new AtomicInteger();
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                MOST, MOST, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, "holdfast-jdbc-borrowing-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }
}
