package io.holdfast.bench;

import io.holdfast.lock.core.runtime.EngineRuntime;
import io.holdfast.lock.core.runtime.EngineThreads;
import io.holdfast.lock.core.runtime.Scheduler.Scheduled;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The timer of the engine, as a lock: to enter is to set it, to leave is to cancel it. */
final class EngineTimers implements Locks {

    private static final Duration LATER = Duration.ofSeconds(10);

    private final EngineRuntime runtime = EngineThreads.start("bench");
    private final List<Scheduled> others = new ArrayList<>();

    /** With many that are set already, and ring long after the benchmark. */
    EngineTimers(int count) {
        for (int i = 0; i < count; i++) {
            others.add(
                    runtime.scheduler().schedule(() -> {}, Duration.ofHours(1).toNanos() + i));
        }
    }

    @Override
    public Section section(String name) {
        return new Section() {
            private @Nullable Scheduled timer;

            @Override
            public OptionalLong enter() {
                timer = runtime.scheduler().schedule(() -> {}, LATER.toNanos());
                return OptionalLong.empty();
            }

            @Override
            public void leave() {
                Objects.requireNonNull(timer).cancel();
            }
        };
    }

    @Override
    public void close() {
        others.forEach(Scheduled::cancel);
        runtime.shutdown().run();
    }
}
