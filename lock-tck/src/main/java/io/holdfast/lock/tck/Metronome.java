package io.holdfast.lock.tck;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures how much time this JVM has lost to whatever else the machine is doing: a thread that wants to run every few
 * milliseconds adds up how late it was. Every upper limit of the kit is prolonged by what was lost meanwhile, so a busy machine
 * makes the kit slow, not wrong.
 */
final class Metronome {

    private static final long BEAT = Duration.ofMillis(5).toNanos();
    private static final long PUNCTUAL = Duration.ofMillis(10).toNanos();
    private static final AtomicLong LOST = new AtomicLong();

    static {
        Thread beating = new Thread(Metronome::beat, "lock-tck-metronome");
        beating.setDaemon(true);
        beating.start();
    }

    private Metronome() {}

    private static void beat() {
        while (true) {
            long before = System.nanoTime();
            LockSupport.parkNanos(BEAT);
            long late = System.nanoTime() - before - BEAT;
            if (late > PUNCTUAL) {
                // Counted twice: what stalls one thread stalls the next one in the chain of a hand-over, too.
                LOST.addAndGet(2 * late);
            }
        }
    }

    /** The time that was lost so far, in nanoseconds; only differences mean something. */
    static long lost() {
        return LOST.get();
    }
}
