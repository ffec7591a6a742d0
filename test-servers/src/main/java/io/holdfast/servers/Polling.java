package io.holdfast.servers;

import io.holdfast.servers.RespConnection.ServerError;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Asks servers again and again until they are as they should be. */
final class Polling {

    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private Polling() {}

    /**
     * Waits for a condition. A server that does not answer, or answers with an error, does not fulfil it yet.
     *
     * @param what is waited for
     * @param within how long
     * @throws IllegalStateException if it is not fulfilled in time, or the thread is interrupted
     */
    static void await(String what, Duration within, BooleanSupplier condition) {
        long deadline = System.nanoTime() + within.toNanos();
        while (!holds(condition)) {
            if (System.nanoTime() - deadline > 0 || Thread.currentThread().isInterrupted()) {
                throw new IllegalStateException("Interrupted, or not within " + within + ": " + what);
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    /**
     * Brings a condition about, and waits for it. What is requested may be refused, or given up later without a word, so it is
     * requested again and again until the condition is fulfilled; an error that answers a request is ignored.
     *
     * @param what is waited for
     * @param within how long
     * @param request asks for it
     * @param every how long after a request the next one is made
     * @throws IllegalStateException if it is not fulfilled in time, or the thread is interrupted
     */
    static void bringAbout(String what, Duration within, BooleanSupplier condition, Runnable request, Duration every) {
        AtomicLong next = new AtomicLong(System.nanoTime());
        await(what, within, () -> {
            if (condition.getAsBoolean()) {
                return true;
            }
            long now = System.nanoTime();
            if (now - next.get() >= 0) {
                next.set(now + every.toNanos());
                request.run();
            }
            return false;
        });
    }

    /** Asks once. */
    static boolean holds(BooleanSupplier condition) {
        try {
            return condition.getAsBoolean();
        } catch (UncheckedIOException | ServerError notYet) {
            return false;
        }
    }
}
