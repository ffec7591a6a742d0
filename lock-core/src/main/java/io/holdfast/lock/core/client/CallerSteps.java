package io.holdfast.lock.core.client;

import io.holdfast.lock.core.local.Waiter;
import io.holdfast.lock.core.runtime.Uninterruptibly;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;

/** Runs the steps of a blocking acquire on the thread that waits for it: no hand-over to another thread, and no idle one. */
final class CallerSteps implements Executor {

    private final BlockingQueue<Runnable> steps = new LinkedBlockingQueue<>();

    @Override
    public void execute(Runnable step) {
        steps.add(step);
    }

    /** Runs steps until the acquire has ended; an interrupt ends the wait for the next step. */
    void runUntilEnded(Waiter waiter) throws InterruptedException {
        CompletableFuture<?> unused = waiter.result().whenComplete((handle, failure) -> execute(() -> {}));
        while (!waiter.result().isDone()) {
            steps.take().run();
        }
    }

    /** Runs steps until the acquire has ended, keeping an interrupt for later. */
    void runUntilEndedWithoutInterrupt(Waiter waiter) {
        Uninterruptibly.run(() -> runUntilEnded(waiter));
    }
}
