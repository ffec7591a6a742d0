package io.holdfast.lock.core.runtime;

/** Runs short tasks later. Tests replace it, and the {@link Ticker}, by virtual time. */
public interface Scheduler {

    /** Runs a task once, at least {@code delayNanos} from now; the task must neither block nor throw. */
    Scheduled schedule(Runnable task, long delayNanos);

    /** A task that waits for its time. */
    interface Scheduled {

        /** Prevents the task from running, if it has not begun. */
        void cancel();
    }
}
