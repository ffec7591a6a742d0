package io.holdfast.lock.tck;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Assertions;

/**
 * Real time as the kit uses it. Lower bounds are exact. Upper limits add {@link #SLACK} for thread switches and calls of the
 * store, and the time that the machine was stalled by the {@link Metronome}. The limits themselves are here, and on the page
 * {@code docs/writing-a-backend.md}.
 */
final class Pace {

    /** Added to every upper limit. */
    static final Duration SLACK = Duration.ofMillis(600);

    /** How long the wake-up of a waiting claim may take after a release. */
    static final Duration WOKEN_WITHIN = Duration.ofSeconds(2);

    /** Where the engine polls, it asks at least so often. */
    static final Duration POLLS_WITHIN = Duration.ofMillis(500);

    /** How long the threads of what is closed may take to end. */
    static final Duration THREADS_END_WITHIN = Duration.ofSeconds(2);

    /** How long all else that is closed may take to go. */
    static final Duration GONE_WITHIN = Duration.ofSeconds(5);

    /** How long a store may reserve a lock for a waiter that does not come. */
    static final Duration DEAD_WAITERS_GO_WITHIN = Duration.ofSeconds(10);

    /** For how long a claim waits that is not told to ask again: a store may not take it for dead. */
    static final Duration LONG_WAIT = Duration.ofSeconds(10);

    /** How long a provider may need after an outage until its calls are answered. */
    static final Duration BACK_WITHIN = Duration.ofSeconds(20);

    /** How long a provider may need after that until it receives messages again. */
    static final Duration LISTENS_WITHIN = Duration.ofSeconds(10);

    /** How long a crowd may take for one of its steps, such as the next grant. */
    static final Duration CROWD_WITHIN = Duration.ofSeconds(20);

    /** A call that takes longer hangs, even on a slow machine. */
    static final Duration HANGS = Duration.ofSeconds(60);

    private static final Duration POLL = Duration.ofMillis(4);

    private Pace() {}

    static long now() {
        return System.nanoTime();
    }

    static Duration since(long start) {
        return Duration.ofNanos(now() - start);
    }

    /** Lets time pass. */
    static void pass(Duration time) {
        long start = now();
        for (long left = time.toNanos(); left > 0; left = time.toNanos() - (now() - start)) {
            LockSupport.parkNanos(left);
            if (Thread.currentThread().isInterrupted()) {
                throw new IllegalStateException("The kit was interrupted while it let time pass");
            }
        }
    }

    /** Waits until a condition holds: at most for a time, the slack, and the time that the machine was stalled. */
    static boolean within(Duration time, BooleanSupplier condition) {
        Limit limit = new Limit(time);
        while (!condition.getAsBoolean()) {
            if (limit.isOver()) {
                return condition.getAsBoolean();
            }
            pass(POLL);
        }
        return true;
    }

    /** Lets time pass for as long as a condition holds. */
    static void watch(Duration time, BooleanSupplier condition) {
        long start = now();
        while (condition.getAsBoolean() && since(start).compareTo(time) < 0) {
            pass(POLL);
        }
    }

    /**
     * Makes a call that must end within a time and the slack. A slow machine may delay a call, so it is repeated until one ends
     * in time, five times at most.
     */
    static void mustEndWithin(Duration time, String what, Body call) throws Exception {
        List<Limit> missed = new ArrayList<>();
        while (missed.size() < 5) {
            Limit limit = new Limit(time);
            call.run();
            if (!limit.isOver()) {
                return;
            }
            missed.add(limit);
        }
        Assertions.fail(what + " must end within " + missed.get(0) + ", and four more were no faster");
    }
    /** A piece of a test. */
    interface Body {
        void run() throws Exception;
    }

    /** An upper limit that starts now. */
    static final class Limit {
        private final Duration time;
        private final long start = now();
        private final long lostBefore = Metronome.lost();

        Limit(Duration time) {
            this.time = time;
        }

        boolean isOver() {
            return now() - start > time.plus(SLACK).toNanos() + Metronome.lost() - lostBefore;
        }

        @Override
        public String toString() {
            return time.toMillis() + " ms (and " + SLACK.toMillis() + " ms of slack, and "
                    + Duration.ofNanos(Metronome.lost() - lostBefore).toMillis() + " ms that the machine lost); "
                    + since(start).toMillis() + " ms have passed";
        }
    }
}
