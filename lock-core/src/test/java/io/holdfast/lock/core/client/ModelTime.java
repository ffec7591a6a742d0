package io.holdfast.lock.core.client;

import io.holdfast.lock.core.runtime.Scheduler;
import io.holdfast.lock.core.runtime.Ticker;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A clock and its timers for a model checker, without a monitor. A timer that already rings can no longer be cancelled, like a
 * real one.
 */
final class ModelTime implements Ticker, Scheduler {

    private final ConcurrentHashMap<Long, Timer> timers = new ConcurrentHashMap<>();
    private final AtomicLong sequence = new AtomicLong();
    private volatile long now = 1_000;

    private record Timer(long number, long at, Runnable task) {}

    @Override
    public long nanos() {
        return now;
    }

    @Override
    public Scheduled schedule(Runnable task, long delayNanos) {
        long number = sequence.incrementAndGet();
        timers.put(number, new Timer(number, now + delayNanos, task));
        return () -> timers.remove(number);
    }

    int timers() {
        return timers.size();
    }

    /** Moves the clock; no timer rings. Called by one thread at a time. */
    @SuppressWarnings("NonAtomicVolatileUpdate")
    void pass(Duration time) {
        now = now + time.toNanos();
    }

    /** Rings the timers that are due. */
    void ring() {
        long end = now;
        for (Timer due = dueBy(end); due != null; due = dueBy(end)) {
            if (timers.remove(due.number) != null) {
                due.task.run();
            }
        }
    }

    private Timer dueBy(long end) {
        return timers.searchValues(Long.MAX_VALUE, timer -> timer.at <= end ? timer : null);
    }
}
