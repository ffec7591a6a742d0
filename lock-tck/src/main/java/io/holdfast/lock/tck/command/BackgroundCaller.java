package io.holdfast.lock.tck.command;

import io.holdfast.lock.tck.probe.ProbeCaller;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Makes calls on daemon threads: those that hang do not keep the command from its end. */
final class BackgroundCaller implements ProbeCaller {

    /** A call that takes longer hangs. */
    static final Duration ENDS_WITHIN = Duration.ofSeconds(5);

    @Override
    public boolean isAnswered(Runnable call) {
        return isAnsweredBefore(call, ENDS_WITHIN);
    }

    @Override
    public boolean isAnsweredWithin(Runnable call, Duration limit) {
        return isAnsweredBefore(call, limit);
    }

    @Override
    public boolean isAnsweredBefore(Runnable call, Duration time) {
        FutureTask<?> task = inBackground(Executors.callable(call));
        try {
            Object unused = task.get(time.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (ExecutionException | TimeoutException notAnswered) {
            return false;
        } catch (InterruptedException interrupted) {
            throw stopped(interrupted);
        }
    }

    static <T> FutureTask<T> inBackground(Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        Thread thread = new Thread(task, "lock-tck-trial");
        thread.setDaemon(true);
        // A test may have a class loader that others do not.
        thread.setContextClassLoader(Thread.currentThread().getContextClassLoader());
        thread.start();
        return task;
    }

    static IllegalStateException stopped(InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        return new IllegalStateException("The kit was interrupted", interrupted);
    }
}
