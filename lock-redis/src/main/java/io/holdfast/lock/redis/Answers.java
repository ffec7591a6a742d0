package io.holdfast.lock.redis;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Guards a state that answers change, on the threads that read them, and that one caller waits for. A change may lead to further
 * ones on the same thread.
 */
final class Answers {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    /** Changes the state. */
    void change(Runnable change) {
        lock.lock();
        try {
            change.run();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Reads the state. */
    <T> T read(Supplier<T> reading) {
        lock.lock();
        try {
            return reading.get();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for a result. An interrupt ends nothing, as each wait here is short; it is kept.
     *
     * @param result null as long as there is none
     * @param left the time that is left; asked before each wait
     * @param tooLate runs when none is left; either there is a result then, or more time
     */
    <T> T await(Supplier<@Nullable T> result, Supplier<Duration> left, Runnable tooLate) {
        lock.lock();
        try (KeptInterrupt interrupt = new KeptInterrupt()) {
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
                        boolean unused = changed.await(nanos, TimeUnit.NANOSECONDS);
                    } catch (InterruptedException later) {
                        interrupt.keep();
                    }
                }
            }
        } finally {
            lock.unlock();
        }
    }
}
