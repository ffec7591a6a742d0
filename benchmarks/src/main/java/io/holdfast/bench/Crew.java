package io.holdfast.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Threads of this process that acquire and release, again and again. Thread {@code i} takes lock {@code i % locks}. */
final class Crew implements AutoCloseable {

    private static final Duration BOUND = Duration.ofMinutes(1);
    private static final int WARMING_UP = 0;
    private static final int MEASURING = 1;
    private static final int ENDED = 2;

    private final Locks locks;
    private final Referee referee;
    private final ExecutorService threads;
    private final CompletionService<Times> running;
    private final int threadCount;
    private final AtomicInteger phase = new AtomicInteger(WARMING_UP);

    /** Starts the threads, which warm up. */
    Crew(Locks locks, int threadCount, int lockCount, Referee referee) {
        this.locks = locks;
        this.referee = referee;
        this.threadCount = threadCount;
        this.threads = Executors.newFixedThreadPool(threadCount);
        this.running = new ExecutorCompletionService<>(threads);
        for (int thread = 0; thread < threadCount; thread++) {
            Future<Times> unusedFuture = running.submit(cycles(thread % lockCount));
        }
    }

    private Callable<Times> cycles(int lock) {
        return () -> {
            Section section = locks.section("lock-" + lock);
            Times times = new Times();
            while (phase.get() != ENDED) {
                long begun = System.nanoTime();
                referee.entered(lock, section.enter());
                referee.leaves(lock);
                section.leave();
                if (phase.get() == MEASURING) {
                    times.add(System.nanoTime() - begun);
                }
            }
            return times;
        };
    }

    /** Begins to note the times. */
    void measure() {
        phase.set(MEASURING);
    }

    /** Ends the measurement; the threads end after their present cycle. */
    void stop() {
        phase.set(ENDED);
    }

    /**
     * Waits for the threads. Returns the times of each.
     *
     * @throws IllegalStateException if one of them hangs
     */
    List<Times> times() throws Exception {
        List<Times> times = new ArrayList<>();
        while (times.size() < threadCount) {
            // In the order in which they end: after one has failed, the others may wait for its lock without end.
            Future<Times> next = running.poll(BOUND.toSeconds(), TimeUnit.SECONDS);
            if (next == null) {
                throw new IllegalStateException("A thread has not got its lock within " + BOUND);
            }
            times.add(next.get());
        }
        return times;
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
