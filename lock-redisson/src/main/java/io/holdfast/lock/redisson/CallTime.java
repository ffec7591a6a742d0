package io.holdfast.lock.redisson;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The time that one call has, however many requests one after the other it takes. */
final class CallTime {

    private final long end;

    private CallTime(long end) {
        this.end = end;
    }

    static CallTime startingNow(Duration limit) {
        return new CallTime(System.nanoTime() + limit.toNanos());
    }

    boolean isOver() {
        return left() <= 0;
    }

    private long left() {
        return end - System.nanoTime();
    }

    /**
     * Waits for an answer, until the time is over. Redisson has time-outs of its own, but for each request and each of its
     * stages, and a timer that may be late. An interrupt does not end the wait, as the outcome would then be unknown, but is kept
     * for the caller.
     */
    <T> T await(CompletableFuture<T> answer) throws ExecutionException, TimeoutException {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return answer.get(left(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException later) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
