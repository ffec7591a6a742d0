package io.holdfast.lock.core;

import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A task in steps that never overlap. Between two of them it rests, until something is noted that sets it going again. */
abstract class SerialSteps {

    final ReentrantLock mutex = new ReentrantLock();
    private final Executor stepper;

    /** Guarded by the mutex. */
    private boolean stepping;

    SerialSteps(Executor stepper) {
        this.stepper = stepper;
    }

    /** What to do now; null to rest. Called with the mutex held. */
    abstract @Nullable Runnable nextStep();

    abstract boolean isFinished();

    /** A step broke off, which leaves the task where it was. */
    abstract void brokeOff(Throwable broken);

    /**
     * Notes what has happened, with the mutex held, and sets the steps going if they rest.
     *
     * @throws java.util.concurrent.RejectedExecutionException if the executor takes no more tasks
     * @throws Error if the system has nothing left to run them with; what was noted stays, for the next time
     */
    final void proceed(Runnable note) {
        mutex.lock();
        try {
            note.run();
            if (stepping || isFinished()) {
                return;
            }
            stepping = true;
        } finally {
            mutex.unlock();
        }
        try {
            stepper.execute(this::run);
        } catch (RuntimeException | Error refused) {
            rest();
            throw refused;
        }
    }

    private void rest() {
        mutex.lock();
        try {
            stepping = false;
        } finally {
            mutex.unlock();
        }
    }

    private void run() {
        try {
            for (Runnable step = begin(); step != null; step = begin()) {
                step.run();
            }
        } catch (RuntimeException | Error broken) {
            brokeOff(broken);
            throw broken;
        }
    }

    private @Nullable Runnable begin() {
        mutex.lock();
        try {
            Runnable step = isFinished() ? null : nextStep();
            stepping = step != null;
            return step;
        } finally {
            mutex.unlock();
        }
    }
}
