package io.holdfast.lock.core.lease;

import io.holdfast.lock.core.runtime.Alarm;
import io.holdfast.lock.core.runtime.EngineRuntime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Runs batches of renewals with as few threads as will do: one after the other in one lane. A batch that has waited for as long
 * as it may gets another lane, as those before it hang, or are too slow. A lane ends when no batch waits. Thread-safe.
 */
final class RenewalLanes {

    private final EngineRuntime runtime;
    private final ReentrantLock mutex = new ReentrantLock();

    // All below is guarded by the mutex.
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private final Alarm alarm;
    private int lanes;

    /** A batch that gets a lane of its own at a reading of the clock. */
    private record Waiting(Runnable batch, long until) {}

    RenewalLanes(EngineRuntime runtime) {
        this.runtime = runtime;
        this.alarm = new Alarm(runtime, mutex, this::openForOverdue);
    }

    /** Runs a batch, at the latest after a pause if a thread is to be had. */
    void run(Runnable batch, long longestPauseNanos) {
        mutex.lock();
        try {
            if (lanes > 0) {
                waiting.add(new Waiting(batch, runtime.now() + longestPauseNanos));
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
            for (Iterator<Waiting> each = waiting.iterator(); each.hasNext(); ) {
                Waiting next = each.next();
                if (next.until() - now <= 0) {
                    each.remove();
                    overdue.add(next.batch());
                }
            }
            lanes += overdue.size();
            setAlarm();
        } finally {
            mutex.unlock();
        }
        overdue.forEach(this::open);
    }

    private void setAlarm() {
        if (waiting.isEmpty()) {
            alarm.cancel();
            return;
        }
        long now = runtime.now();
        long left = waiting.stream().mapToLong(next -> next.until() - now).min().orElseThrow();
        alarm.set(now + left);
    }
}
