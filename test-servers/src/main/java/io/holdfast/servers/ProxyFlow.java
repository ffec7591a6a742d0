package io.holdfast.servers;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** How a proxy treats the data of one direction, and how much there was. Thread-safe. */
final class ProxyFlow {

    private boolean swallowed;
    private boolean held;
    private boolean closed;
    private Duration delay = Duration.ZERO;
    private long bytes;

    synchronized void pass() {
        swallowed = false;
        held = false;
        delay = Duration.ZERO;
        notifyAll();
    }

    synchronized void swallow() {
        swallowed = true;
    }

    synchronized void hold() {
        held = true;
    }

    synchronized void delay(Duration time) {
        delay = time;
    }

    synchronized boolean isSwallowed() {
        return swallowed;
    }

    synchronized long bytes() {
        return bytes;
    }

    synchronized void count(int arrived) {
        bytes += arrived;
    }

    /** Delays arrived data as configured. Returns whether it is passed on or dropped. */
    synchronized boolean admits() throws InterruptedException {
        long arrival = System.nanoTime();
        long late = delay.toNanos();
        for (long left = late; left > 0 && !closed; left = late - (System.nanoTime() - arrival)) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        while (held && !closed) {
            wait();
        }
        return !swallowed && !closed;
    }

    synchronized void close() {
        closed = true;
        notifyAll();
    }
}
