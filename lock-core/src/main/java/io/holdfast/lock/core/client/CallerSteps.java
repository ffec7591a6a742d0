package io.holdfast.lock.core.client;

import io.holdfast.lock.core.local.Waiter;
import io.holdfast.lock.core.runtime.Uninterruptibly;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;

/** Runs the steps of a blocking acquire on the thread that waits for it: no hand-over to another thread, and no idle one. */
final class CallerSteps implements Executor {

    private final Thread caller = Thread.currentThread();
    private final Queue<Runnable> steps = new ConcurrentLinkedQueue<>();

    @Override
    public void execute(Runnable step) {
        steps.add(step);
        LockSupport.unpark(caller);
    }

    /** Runs steps until the acquire has ended; an interrupt ends the wait for the next step. */
    void runUntilEnded(Waiter waiter) throws InterruptedException {
        CompletableFuture<?> unused = waiter.result().whenComplete((handle, failure) -> LockSupport.unpark(caller));
        while (!waiter.result().isDone()) {
            Runnable step = steps.poll();
            if (step != null) {
                step.run();
            } else {
                LockSupport.park(this);
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
            }
        }
    }

    /** Runs steps until the acquire has ended, keeping an interrupt for later. */
    void runUntilEndedWithoutInterrupt(Waiter waiter) {
        Uninterruptibly.run(() -> runUntilEnded(waiter));
    }
}
