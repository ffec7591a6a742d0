package io.holdfast.lock.redis;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Waits under a monitor, which those who change the state notify. */
final class Waiting {

    private Waiting() {}

    /**
     * Waits for a result. An interrupt ends nothing, as each wait here is short; it is kept.
     *
     * @param monitor held by the caller
     * @param result null as long as there is none
     * @param deadline reading of {@link System#nanoTime}; asked before each wait
     * @param tooLate runs when the deadline has passed; either there is a result then, or a later deadline
     */
    static <T> T until(Object monitor, Supplier<@Nullable T> result, LongSupplier deadline, Runnable tooLate) {
        boolean interrupted = false;
        try {
            while (true) {
                T found = result.get();
                if (found != null) {
                    return found;
                }
                long left = deadline.getAsLong() - System.nanoTime();
                if (left <= 0) {
                    tooLate.run();
                } else {
                    try {
                        TimeUnit.NANOSECONDS.timedWait(monitor, left);
                    } catch (InterruptedException later) {
                        interrupted = true;
                    }
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
