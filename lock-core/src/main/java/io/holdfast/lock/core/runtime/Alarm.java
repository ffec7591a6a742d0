package io.holdfast.lock.core.runtime;

import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The one timer of something that waits for one moment at a time. Its methods are called with its owner's mutex held. */
public final class Alarm {

    private final EngineRuntime runtime;
    private final ReentrantLock mutex;
    private final Runnable ring;
    private Scheduler.@Nullable Scheduled pending;
    private long at;
    private long number;

    /**
     * Creates an alarm that is not set.
     *
     * @param mutex the owner's mutex
     * @param ring called on the timer's thread, without the mutex
     */
    public Alarm(EngineRuntime runtime, ReentrantLock mutex, Runnable ring) {
        this.runtime = runtime;
        this.mutex = mutex;
        this.ring = ring;
    }

    /** Sets the alarm for a reading of the clock, in place of what it was set for. */
    public void set(long reading) {
        if (pending != null && at == reading) {
            return;
        }
        cancel();
        long current = ++number;
        at = reading;
        pending = runtime.scheduler().schedule(() -> ring(current), Math.max(0, reading - runtime.now()));
    }

    /** Sets the alarm for a reading of the clock, unless it rings sooner anyway. */
    public void setAtTheLatest(long reading) {
        if (pending == null || reading - at < 0) {
            set(reading);
        }
    }

    public boolean isSet() {
        return pending != null;
    }

    public void cancel() {
        if (pending != null) {
            pending.cancel();
            pending = null;
        }
    }

    private void ring(long which) {
        mutex.lock();
        try {
            if (which != number || pending == null) {
                return; // It was set again, or cancelled, while it began to ring.
            }
            pending = null;
        } finally {
            mutex.unlock();
        }
        ring.run();
    }
}
