package io.holdfast.lock.core.client;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A thread of the application that makes one blocking call. */
final class Caller<T> {

    private static final Duration BOUND = Duration.ofSeconds(20);

    private final FutureTask<T> task;
    private final Thread thread;

    private Caller(Callable<T> call) {
        this.task = new FutureTask<>(call);
        this.thread = new Thread(task, "caller");
        thread.setDaemon(true);
    }

    static <T> Caller<T> of(Callable<T> call) {
        Caller<T> caller = new Caller<>(call);
        caller.thread.start();
        return caller;
    }

    /** Waits until the call blocks. */
    Caller<T> awaitBlocked() {
        await().atMost(BOUND)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> isBlocked() || task.isDone(), blockedOrDone -> blockedOrDone);
        if (task.isDone()) {
            throw new AssertionError("The call has ended instead of blocking");
        }
        return this;
    }

    boolean isBlocked() {
        Thread.State state = thread.getState();
        return state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING;
    }

    void interrupt() {
        thread.interrupt();
    }

    boolean isDone() {
        return task.isDone();
    }

    /** Waits for the result of the call. */
    T result() throws Exception {
        try {
            return task.get(BOUND.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof Exception failure) {
                throw failure;
            }
            throw failed;
        } catch (TimeoutException late) {
            throw new AssertionError("The call still blocks", late);
        }
    }
}
