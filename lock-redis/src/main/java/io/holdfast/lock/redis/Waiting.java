package io.holdfast.lock.redis;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
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
     * @param left the time that is left; asked before each wait
     * @param tooLate runs when none is left; either there is a result then, or more time
     */
    static <T> T until(Object monitor, Supplier<@Nullable T> result, Supplier<Duration> left, Runnable tooLate) {
        boolean interrupted = false;
        try {
            while (true) {
                T found = result.get();
                if (found != null) {
                    return found;
                }
                long nanos = left.get().toNanos();
                if (nanos <= 0) {
                    tooLate.run();
                } else {
                    try {
                        TimeUnit.NANOSECONDS.timedWait(monitor, nanos);
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
