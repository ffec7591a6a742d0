package io.holdfast.lock.core;

import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** The one timer of an acquire. Guarded by the acquire's mutex. */
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
        cancel();
        at = reading;
        long current = ++number;
        pending = runtime.scheduler()
                .schedule(
                        () -> ring.accept(current),
                        Math.max(0, reading - runtime.ticker().nanos()));
    }

    /** Notes that the alarm rang. One that rings while it is being replaced leaves the new one in place. */
    void rang(long which) {
        if (which == number) {
            pending = null;
        }
    }

    void cancel() {
        if (pending != null) {
            pending.cancel();
            pending = null;
        }
    }
}
