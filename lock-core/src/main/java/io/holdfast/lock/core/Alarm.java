package io.holdfast.lock.core;

import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** The one timer of somebody who waits for one moment at a time. Guarded by its owner's mutex. */
final class Alarm {

    private final EngineRuntime runtime;
    private final LongConsumer ring;
    private Scheduler.@Nullable Scheduled pending;
    private long at;
    private long number;

    /**
     * Creates an alarm that is not set.
     *
     * @param ring called on the timer's thread, outside the mutex, with a number for {@link #rang}
     */
    Alarm(EngineRuntime runtime, LongConsumer ring) {
        this.runtime = runtime;
        this.ring = ring;
    }

    void setFor(long reading) {
        if (pending != null && at == reading) {
            return;
        }
        long next = number + 1;
        // First the new one: where the system has no thread for it, the old one stays.
        Scheduler.Scheduled replacement = runtime.scheduler()
                .schedule(
                        () -> ring.accept(next),
                        Math.max(0, reading - runtime.ticker().nanos()));
        cancel();
        pending = replacement;
        at = reading;
        number = next;
    }

    /** Sets the alarm for a moment, unless it rings sooner anyway. */
    void setForAtTheLatest(long reading) {
        if (pending == null || reading - at < 0) {
            setFor(reading);
        }
    }

    /** Notes that the alarm rang; false if it rang while it was being replaced: then the new one stays in place. */
    boolean rang(long which) {
        if (which != number) {
            return false;
        }
        pending = null;
        return true;
    }

    void cancel() {
        if (pending != null) {
            pending.cancel();
            pending = null;
        }
    }
}
