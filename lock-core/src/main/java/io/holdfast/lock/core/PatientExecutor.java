package io.holdfast.lock.core;

import java.time.Duration;
import java.util.concurrent.Executor;

/**
 * Tries again where the system has no thread for a task. Without this, a moment without threads would leave a waiter asleep for
 * ever, a loss untold and a claim in nobody's hands.
 */
final class PatientExecutor implements Executor {

    private static final Duration PAUSE = Duration.ofMillis(100);

    private final Executor executor;
    private final Scheduler scheduler;

    PatientExecutor(Executor executor, Scheduler scheduler) {
        this.executor = executor;
        this.scheduler = scheduler;
    }

    @Override
    public void execute(Runnable task) {
        try {
            executor.execute(task);
        } catch (OutOfMemoryError noThread) {
            // So Java says it when the system starts no more threads.
            scheduler.schedule(() -> execute(task), PAUSE.toNanos());
        }
    }
}
