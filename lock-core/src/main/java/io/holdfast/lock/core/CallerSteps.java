package io.holdfast.lock.core;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;

/** Runs the steps of a blocking acquire on the thread that waits for it: no hand-over to another thread, and no idle one. */
final class CallerSteps implements Executor {

    private final BlockingQueue<Runnable> steps = new LinkedBlockingQueue<>();

    @Override
    public void execute(Runnable step) {
        steps.add(step);
    }

    /** Runs steps until the acquire is finished; an interrupt ends the wait for the next step. */
    void runUntilFinished(Acquisition acquisition) throws InterruptedException {
        while (!acquisition.isFinished()) {
            steps.take().run();
        }
    }

    /** Runs steps until the acquire is finished, keeping an interrupt for later. */
    void runUntilFinishedWithoutInterrupt(Acquisition acquisition) {
        Uninterruptibly.run(() -> runUntilFinished(acquisition));
    }
}
