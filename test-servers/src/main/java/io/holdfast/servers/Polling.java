package io.holdfast.servers;

import io.holdfast.servers.RespConnection.ServerError;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Asks Redis servers again and again until they are as they should be. */
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

    /** Asks once. */
    static boolean holds(BooleanSupplier condition) {
        try {
            return condition.getAsBoolean();
        } catch (UncheckedIOException | ServerError notYet) {
            return false;
        }
    }
}
