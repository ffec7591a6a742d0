package io.holdfast.lock.tck;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures for how long this JVM was stalled: a thread that wakes every few milliseconds adds up how late it was. Every upper
 * limit of the kit is extended by the stalls meanwhile, so a busy machine makes the kit slow, not wrong.
 *
 * <p>A busy system favors threads that mostly sleep, such as that one. A thread that was just started waits ten times as long for
 * a processor. So one is started now and then, and how late it runs may explain a failure. Limits are not extended by that.
 */
final class Metronome {

    private static final long BEAT = Duration.ofMillis(5).toNanos();
    private static final int BEATS_BETWEEN_STARTS = 4;
    private static final long PUNCTUAL = Duration.ofMillis(10).toNanos();
    /** Longer than a test may take. */
    private static final long REMEMBERED = Duration.ofMinutes(5).toNanos();

    private static final Duration CALM_WITHIN = Duration.ofSeconds(5);

    private static final AtomicLong LOST = new AtomicLong();
    private static final Stalls LATE_BEATS = new Stalls();
    private static final Stalls LATE_STARTS = new Stalls();
    private static final AtomicBoolean STARTING = new AtomicBoolean();

    static {
        Thread beating = new Thread(Metronome::beat, "lock-tck-metronome");
        beating.setDaemon(true);
        beating.start();
    }

    private Metronome() {}

    private static void beat() {
        for (int beats = 0; ; beats++) {
            if (beats % BEATS_BETWEEN_STARTS == 0 && STARTING.compareAndSet(false, true)) {
                start();
            }
            long before = System.nanoTime();
            LockSupport.parkNanos(BEAT);
            long now = System.nanoTime();
            long late = now - before - BEAT;
            if (late > PUNCTUAL) {
                long lost = lostBy(late);
                LOST.addAndGet(lost);
                LATE_BEATS.add(now, lost);
            }
            LATE_BEATS.forgetBefore(now - REMEMBERED);
        }
    }

    /** Counted twice: what stalls one thread stalls the next one in the chain of a hand-over, too. */
    private static long lostBy(long late) {
        return 2 * late;
    }

    private static void start() {
        long asked = System.nanoTime();
        Thread started = new Thread(() -> hasStarted(asked), "lock-tck-just-started");
        started.setDaemon(true);
        try {
            started.start();
        } catch (OutOfMemoryError noThread) {
            // The system has no thread left, as a test may want it. The metronome goes on.
            STARTING.set(false);
        }
    }

    private static void hasStarted(long asked) {
        long now = System.nanoTime();
        LATE_STARTS.forgetBefore(now - REMEMBERED);
        if (now - asked > PUNCTUAL) {
            LATE_STARTS.add(now, lostBy(now - asked));
        }
        STARTING.set(false);
    }

    /** The total of the stalls so far, in nanoseconds. Only differences mean something. */
    static long lost() {
        return LOST.get();
    }

    /**
     * Waits until the machine was not stalled for a good part of a time of a length: for that time, and up to five seconds more.
     * A load comes and goes in seconds: a test that is repeated at once meets the same one again.
     */
    static void awaitCalm(Duration length) {
        Pace.pass(length);
        for (long begun = Pace.now(); Pace.since(begun).compareTo(CALM_WITHIN) < 0; ) {
            if (worst(Pace.now() - length.toNanos(), length).compareTo(length.dividedBy(8)) < 0) {
                return;
            }
            Pace.pass(length.dividedBy(4));
        }
    }

    /** The most that was lost since a moment within any time of a length. Late starts overlap: only the longest one counts. */
    static Duration worst(long since, Duration length) {
        return Duration.ofNanos(Math.max(LATE_BEATS.most(since, length.toNanos()), LATE_STARTS.longest(since)));
    }
}
