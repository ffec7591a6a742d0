package io.holdfast.lock.core.lease;

import io.holdfast.lock.core.runtime.Alarm;
import io.holdfast.lock.core.runtime.EngineRuntime;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Runs batches of renewals with as few threads as will do: one after the other in one lane, first those that may wait least. A
 * batch that has waited for as long as it may gets another lane, as those before it hang, or are too slow. A lane ends when no
 * batch waits. Thread-safe.
 */
final class RenewalLanes {

    private final EngineRuntime runtime;
    private final ReentrantLock mutex = new ReentrantLock();

    // All below is guarded by the mutex.
    private final PriorityQueue<Waiting> waiting = new PriorityQueue<>();
    private final Alarm alarm;
    private long sequence;
    private int lanes;

    /** A batch that gets a lane of its own when the clock reads a time. Those with the same time keep the order in which they came. */
    private record Waiting(Runnable batch, long until, long number) implements Comparable<Waiting> {

        @Override
        public int compareTo(Waiting other) {
            // Readings of the clock may wrap around.
            int byTime = Long.signum(until - other.until);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }

    RenewalLanes(EngineRuntime runtime) {
        this.runtime = runtime;
        this.alarm = new Alarm(runtime, mutex, this::openForOverdue);
    }

    /** Runs a batch, at the latest after a pause if a thread is to be had. */
    void run(Runnable batch, long longestPauseNanos) {
        mutex.lock();
        try {
            if (lanes > 0) {
                waiting.add(new Waiting(batch, runtime.now() + longestPauseNanos, ++sequence));
                setAlarm();
                return;
            }
            lanes++;
        } finally {
            mutex.unlock();
        }
        open(batch);
    }

    private void open(Runnable first) {
        runtime.renewals().execute(() -> {
            for (Runnable batch = first; batch != null; batch = next()) {
                EngineRuntime.run(batch);
            }
        });
    }

    private @Nullable Runnable next() {
        mutex.lock();
        try {
            Waiting next = waiting.poll();
            setAlarm();
            if (next != null) {
                return next.batch();
            }
            lanes--;
            return null;
        } finally {
            mutex.unlock();
        }
    }

    private void openForOverdue() {
        List<Runnable> overdue = new ArrayList<>();
        mutex.lock();
        try {
            long now = runtime.now();
            for (Waiting first = waiting.peek(); first != null && first.until() - now <= 0; first = waiting.peek()) {
                overdue.add(first.batch());
                waiting.remove();
            }
            lanes += overdue.size();
            setAlarm();
        } finally {
            mutex.unlock();
        }
        overdue.forEach(this::open);
    }

    private void setAlarm() {
        Waiting first = waiting.peek();
        if (first == null) {
            alarm.cancel();
        } else {
            alarm.set(first.until());
        }
    }
}
