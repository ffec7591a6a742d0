package io.holdfast.lock.redisson;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The time for one call with all its requests. */
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
     * Waits for an answer until the time is over. Redisson's own time-outs are per request and stage, and its timer may be late.
     * An interrupt does not end the wait, as the outcome would be unknown; it is kept for the caller.
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
