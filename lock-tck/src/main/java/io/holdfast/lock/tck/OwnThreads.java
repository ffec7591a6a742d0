package io.holdfast.lock.tck;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The threads that a piece of work starts. It runs in a new thread group, which the threads that it starts inherit. So threads of
 * other tests and of the JVM do not count.
 */
final class OwnThreads {

    private OwnThreads() {}

    /** Threads of the JVM, which are in the group of the thread that needs them first, and stay. */
    private static final List<String> OF_THE_JVM =
            List.of("ForkJoinPool.commonPool-worker-", "CompletableFutureDelayScheduler");

    /**
     * A thread that serves the whole JVM, such as the timer of a driver, may be started by one run and stay while other tests use
     * it. A provider that leaves a thread behind does so in every run.
     */
    private static final int RUNS = 4;

    /**
     * Runs the work, and fails if threads that it started, directly or not, do not end soon after it: after each of several runs.
     */
    static void mustEndWith(Runnable work, String because) throws InterruptedException {
        mustEndWith(work, () -> {}, because);
    }

    /**
     * Does the same while the work leaves a fault behind.
     *
     * @param afterwards ends the fault, after each run
     */
    static void mustEndWith(Runnable work, Runnable afterwards, String because) throws InterruptedException {
        remainingAfter("lock-tck-first-use", work, Duration.ZERO, afterwards);
        List<Thread> remaining = List.of();
        for (int run = 2; run <= RUNS; run++) {
            remaining = remainingAfter("lock-tck-own-threads", work, Pace.THREADS_END_WITHIN, afterwards);
            if (remaining.isEmpty()) {
                return;
            }
        }
        throw new AssertionError("threads remain although " + because + ": "
                + remaining.stream().map(Thread::getName).sorted().collect(Collectors.joining(", ")));
    }

    private static List<Thread> remainingAfter(String name, Runnable work, Duration patience, Runnable afterwards)
            throws InterruptedException {
        ThreadGroup group = new ThreadGroup(name);
        try {
            runIn(group, work);
            boolean unused = Pace.within(patience, () -> alive(group).isEmpty());
            return alive(group);
        } finally {
            afterwards.run();
        }
    }

    private static void runIn(ThreadGroup group, Runnable work) throws InterruptedException {
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        Thread worker = new Thread(
                group,
                () -> {
                    try {
                        work.run();
                    } catch (RuntimeException | AssertionError problem) {
                        failure.set(problem);
                    }
                },
                "lock-tck-worker");
        worker.start();
        worker.join();
        Throwable problem = failure.get();
        if (problem != null) {
            throw new AssertionError(problem.getMessage(), problem);
        }
    }

    private static List<Thread> alive(ThreadGroup group) {
        Thread[] threads = new Thread[1024];
        int count = group.enumerate(threads);
        return Arrays.stream(threads, 0, count)
                .filter(Thread::isAlive)
                .filter(thread -> OF_THE_JVM.stream().noneMatch(thread.getName()::startsWith))
                .toList();
    }
}
