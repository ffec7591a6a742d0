package io.holdfast.lock.core.runtime;

import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The timer of one client, with one thread. A waiter sets an alarm for each hand-over and cancels it with the next one, and a
 * {@link java.util.concurrent.ScheduledThreadPoolExecutor} would wake its thread each time. This one wakes it only if it would
 * sleep too long. Thread-safe.
 */
final class Timer implements Scheduler {

    private final Ticker ticker;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final ReentrantLock mutex = new ReentrantLock();
    private final Condition sooner = mutex.newCondition();

    // All below is guarded by the mutex.
    private final TreeSet<Task> tasks = new TreeSet<>();
    private long sequence;
    private boolean closed;

    /** Whether the thread sleeps until it is woken. */
    private boolean sleepsWithoutEnd;

    /** The reading of the clock at which the thread wakes by itself, unless it sleeps without end. */
    private long wakesAt;

    private Timer(Ticker ticker) {
        this.ticker = ticker;
        this.wakesAt = ticker.nanos();
    }

    /** Starts the thread. */
    static Timer start(Ticker ticker, ThreadFactory factory) {
        Timer timer = new Timer(ticker);
        factory.newThread(timer::run).start();
        return timer;
    }

    /** A task, and its place among the others. */
    private final class Task implements Comparable<Task>, Scheduled {
        private final Runnable work;
        private final long at;
        private final long number;

        Task(Runnable work, long at, long number) {
            this.work = work;
            this.at = at;
            this.number = number;
        }

        @Override
        public int compareTo(Task other) {
            // Readings of the clock may wrap around.
            int byTime = Long.signum(at - other.at);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }

        @Override
        public void cancel() {
            mutex.lock();
            try {
                boolean unused = tasks.remove(this);
            } finally {
                mutex.unlock();
            }
        }
    }

    @Override
    public Scheduled schedule(Runnable work, long delayNanos) {
        mutex.lock();
        try {
            // Half of the clock's range: two tasks that are further apart would have no order.
            Task task = new Task(work, ticker.nanos() + Math.min(delayNanos, Long.MAX_VALUE / 2), ++sequence);
            if (!closed) {
                tasks.add(task);
                if (sleepsWithoutEnd || task.at - wakesAt < 0) {
                    sooner.signal();
                }
            }
            return task;
        } finally {
            mutex.unlock();
        }
    }

    private void run() {
        runTasks();
        ended.countDown();
    }

    private void runTasks() {
        boolean goesOn = true;
        while (goesOn) {
            try {
                Task next = awaitNext();
                goesOn = next != null;
                if (next != null) {
                    next.work.run();
                }
            } catch (OutOfMemoryError full) {
                // The leases of the client are kept by this thread alone.
                goesOn = true;
            }
        }
    }

    /** Waits for the time of the next task; null after the end. */
    private @Nullable Task awaitNext() {
        mutex.lock();
        try {
            while (!closed) {
                long now = ticker.nanos();
                Task first = tasks.isEmpty() ? null : tasks.first();
                sleepsWithoutEnd = first == null;
                wakesAt = first == null ? now : first.at;
                if (first == null) {
                    sooner.awaitUninterruptibly();
                } else if (first.at - now > 0) {
                    awaitNanos(first.at - now);
                } else {
                    boolean unused = tasks.remove(first);
                    return first;
                }
            }
            return null;
        } finally {
            mutex.unlock();
        }
    }

    // The caller's loop looks at the clock again.
    @SuppressWarnings("WaitNotInLoop")
    private void awaitNanos(long nanos) {
        try {
            long unused = sooner.awaitNanos(nanos);
        } catch (InterruptedException byNobody) {
            // Nobody but this class has the thread. It goes on, as leases depend on it.
            return;
        }
    }

    /** Ends the thread after the task that it runs. Tasks whose time has not come are dropped. */
    void close() {
        mutex.lock();
        try {
            closed = true;
            tasks.clear();
            sooner.signal();
        } finally {
            mutex.unlock();
        }
    }

    /** Waits for the end of the thread. */
    void join(long millis) throws InterruptedException {
        boolean unused = ended.await(millis, TimeUnit.MILLISECONDS);
    }
}
