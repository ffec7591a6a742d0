package io.holdfast.lock.tck;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures for how long this JVM was stalled: a thread that wakes every few milliseconds adds up how late it was. Every upper
 * limit of the kit is extended by the stalls meanwhile, so a busy machine makes the kit slow, not wrong.
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

    /** The total of the stalls so far, in nanoseconds. Only differences mean something. */
    static long lost() {
        return LOST.get();
    }
}
