package io.holdfast.lock.core.client;

import io.holdfast.lock.core.runtime.Scheduler;
import io.holdfast.lock.core.runtime.Ticker;
import java.time.Duration;
import java.util.PriorityQueue;

/** A clock that only a test moves. It runs the scheduled tasks on the way. */
final class VirtualTime implements Ticker, Scheduler {

    /** No test has nearly so many: the engine sets timers without end, for the same moment mostly. */
    private static final int MOST_TIMERS_OF_ONE_ADVANCE = 100_000;

    private final PriorityQueue<Task> tasks = new PriorityQueue<>();
    private long now = Long.MAX_VALUE - Duration.ofSeconds(3).toNanos();
    private long sequence;

    /** Starts close to the overflow of the clock, so that every test crosses it. */
    VirtualTime() {}

    private final class Task implements Scheduled, Comparable<Task> {
        private final Runnable action;
        private final long at;
        private final long number;

        Task(Runnable action, long at, long number) {
            this.action = action;
            this.at = at;
            this.number = number;
        }

        @Override
        public void cancel() {
            synchronized (VirtualTime.this) {
                tasks.remove(this);
            }
        }

        @Override
        public int compareTo(Task other) {
            return at != other.at ? Long.signum(at - other.at) : Long.compare(number, other.number);
        }
    }

    @Override
    public synchronized long nanos() {
        return now;
    }

    @Override
    public synchronized Scheduled schedule(Runnable action, long delayNanos) {
        Task task = new Task(action, now + delayNanos, sequence++);
        tasks.add(task);
        return task;
    }

    /** How many timers are set. */
    synchronized int timers() {
        return tasks.size();
    }

    /** Moves the clock and runs every due timer on the way. */
    void advance(Duration time) {
        long end = nanos() + time.toNanos();
        int run = 0;
        for (Task due = nextUntil(end); due != null; due = nextUntil(end)) {
            due.action.run();
            run++;
            if (run > MOST_TIMERS_OF_ONE_ADVANCE) {
                throw new AssertionError("More than " + MOST_TIMERS_OF_ONE_ADVANCE + " timers rang in " + time);
            }
        }
        synchronized (this) {
            now = end;
        }
    }

    /** Moves the clock as for a paused process: no timer runs meanwhile. */
    synchronized void jump(Duration time) {
        now += time.toNanos();
    }

    private synchronized Task nextUntil(long end) {
        Task first = tasks.peek();
        if (first == null || first.at - end > 0) {
            return null;
        }
        tasks.poll();
        if (first.at - now > 0) {
            now = first.at;
        }
        return first;
    }
}
