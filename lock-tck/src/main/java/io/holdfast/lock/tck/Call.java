package io.holdfast.lock.tck;

import io.holdfast.lock.LockStoreException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Assertions;

/** A blocking call on a separate thread. */
final class Call<T> {

    private final CompletableFuture<T> result;
    private final Thread thread;

    private Call(CompletableFuture<T> result, Thread thread) {
        this.result = result;
        this.thread = thread;
    }

    static <T> Call<T> start(Callable<T> work) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread thread = new Thread(() -> run(work, result), "tck-caller");
        thread.setDaemon(true);
        thread.start();
        return new Call<>(result, thread);
    }

    /** Starts work without a result. */
    static Call<?> running(Pace.Body work) {
        return start(() -> {
            work.run();
            return true;
        });
    }

    private static <T> void run(Callable<T> work, CompletableFuture<T> result) {
        try {
            result.complete(work.call());
        } catch (Exception | AssertionError failure) {
            result.completeExceptionally(failure);
        }
    }

    /** Work that counts a latch down when it has begun. */
    interface Beginning<T> {
        T run(CountDownLatch begun) throws Exception;
    }

    /** Starts work, and returns when it has begun or has ended. */
    static <T> Call<T> begun(Beginning<T> work) throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        Call<T> call = start(() -> {
            try {
                return work.run(begun);
            } finally {
                begun.countDown();
            }
        });
        Assertions.assertTrue(
                begun.await(Pace.HANGS.toSeconds(), TimeUnit.SECONDS),
                "a call hangs for " + Pace.HANGS.toSeconds() + " s");
        return call;
    }

    /** Makes a call on another thread and waits for it. */
    static <T> T elsewhere(Callable<T> work) {
        return start(work).result();
    }

    /** Waits until the call blocks. */
    Call<T> onceItWaits() {
        boolean waits = Pace.within(
                Duration.ofSeconds(5),
                () -> thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING);
        Assertions.assertTrue(waits && !isDone(), "the call must wait: somebody else holds the lock");
        return this;
    }

    void interrupt() {
        thread.interrupt();
    }

    boolean isDone() {
        return result.isDone();
    }

    T result() {
        return resultOf(result);
    }

    /** The result of a future that must complete. */
    static <T> T resultOf(CompletableFuture<T> future) {
        try {
            return future.get(Pace.HANGS.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException failed) {
            throw new AssertionError("the call failed: " + failed.getCause(), failed.getCause());
        } catch (TimeoutException hanging) {
            throw new AssertionError("the call hangs for " + Pace.HANGS.toSeconds() + " s", hanging);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError("the kit was interrupted", interrupted);
        }
    }

    /** Whether the store answers a call: false if it cannot be reached. */
    static boolean isAnswered(Callable<Object> call) {
        try {
            call.call();
            return true;
        } catch (LockStoreException unreachable) {
            return false;
        } catch (Exception other) {
            throw new AssertionError("a call failed for another reason than the store: " + other, other);
        }
    }

    <E extends Throwable> E mustFailWith(Class<E> type, String because) {
        return mustFailWith(result, type, because);
    }

    /** The failure of a future that must fail. */
    static <E extends Throwable> E mustFailWith(CompletableFuture<?> future, Class<E> type, String because) {
        ExecutionException failed = Assertions.assertThrows(
                ExecutionException.class,
                () -> future.get(Pace.HANGS.toSeconds(), TimeUnit.SECONDS),
                () -> because + answerOf(future));
        return Assertions.assertInstanceOf(type, failed.getCause(), because);
    }

    private static String answerOf(CompletableFuture<?> future) {
        return future.isDone() && !future.isCompletedExceptionally() ? ", but its answer is " + future.join() : "";
    }
}
