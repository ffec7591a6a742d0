package io.holdfast.lock.tck;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures for how long this JVM was stalled: a thread that wakes every few milliseconds adds up how late it was. Every upper
 * limit of the kit is extended by the stalls meanwhile, so a busy machine makes the kit slow, not wrong.
 */
final class Metronome {

    private static final long BEAT = Duration.ofMillis(5).toNanos();
    private static final long PUNCTUAL = Duration.ofMillis(10).toNanos();
    /** Longer than a test may take. */
    private static final long REMEMBERED = Duration.ofMinutes(5).toNanos();

    private static final Duration CALM_WITHIN = Duration.ofSeconds(5);

    private static final AtomicLong LOST = new AtomicLong();
    private static final Deque<Stall> STALLS = new ConcurrentLinkedDeque<>();

    static {
        Thread beating = new Thread(Metronome::beat, "lock-tck-metronome");
        beating.setDaemon(true);
        beating.start();
    }

    private Metronome() {}

    /** A time that was lost, and when that was over. */
    private record Stall(long end, long lost) {}

    private static void beat() {
        while (true) {
            long before = System.nanoTime();
            LockSupport.parkNanos(BEAT);
            long now = System.nanoTime();
            long late = now - before - BEAT;
            if (late > PUNCTUAL) {
                // Counted twice: what stalls one thread stalls the next one in the chain of a hand-over, too.
                LOST.addAndGet(2 * late);
                STALLS.addLast(new Stall(now, 2 * late));
            }
            while (!STALLS.isEmpty() && now - STALLS.getFirst().end() > REMEMBERED) {
                STALLS.removeFirst();
            }
        }
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

    /** The most that was lost since a moment within any time of a length. */
    static Duration worst(long since, Duration length) {
        Deque<Stall> window = new ArrayDeque<>();
        long sum = 0;
        long worst = 0;
        for (Stall stall : STALLS) {
            if (stall.end() - since < 0) {
                continue;
            }
            window.addLast(stall);
            sum += stall.lost();
            while (stall.end() - window.getFirst().end() > length.toNanos()) {
                sum -= window.removeFirst().lost();
            }
            worst = Math.max(worst, sum);
        }
        return Duration.ofNanos(worst);
    }
}
