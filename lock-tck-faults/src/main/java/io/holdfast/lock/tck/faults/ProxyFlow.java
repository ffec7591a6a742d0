package io.holdfast.lock.tck.faults;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/** How a proxy treats the data of one direction, and how much there was. Thread-safe. */
final class ProxyFlow {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private boolean swallowed;
    private boolean held;
    private boolean closed;
    private Duration delay = Duration.ZERO;
    private long bytes;

    void pass() {
        change(() -> {
            swallowed = false;
            held = false;
            delay = Duration.ZERO;
        });
    }

    void swallow() {
        change(() -> swallowed = true);
    }

    void hold() {
        change(() -> held = true);
    }

    void delay(Duration time) {
        change(() -> delay = time);
    }

    boolean isSwallowed() {
        return ask(() -> swallowed);
    }

    long bytes() {
        lock.lock();
        try {
            return bytes;
        } finally {
            lock.unlock();
        }
    }

    void count(int arrived) {
        change(() -> bytes += arrived);
    }

    /** Delays arrived data as configured. Returns whether it is passed on or dropped. */
    boolean admits() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long late = delay.toNanos();
            while (late > 0 && !closed) {
                late = changed.awaitNanos(late);
            }
            while (held && !closed) {
                changed.await();
            }
            return !swallowed && !closed;
        } finally {
            lock.unlock();
        }
    }

    void close() {
        change(() -> closed = true);
    }

    private void change(Runnable change) {
        lock.lock();
        try {
            change.run();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private boolean ask(BooleanSupplier question) {
        lock.lock();
        try {
            return question.getAsBoolean();
        } finally {
            lock.unlock();
        }
    }
}
