package io.holdfast.wrong.memory;

import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.lock.tck.faults.Fault;
import io.holdfast.lock.tck.faults.Faults;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A store in memory as the kit sees it. */
record PlainHarness(PlainStore store) implements LockHarness {

    private static final long TICK_MILLIS = 20;

    /** Its thread runs before a test counts those of a provider. */
    private static final ScheduledThreadPoolExecutor CLOCK = new ScheduledThreadPoolExecutor(1, PlainHarness::daemon);

    private static final Map<PlainStore, Future<?>> TICKING = new ConcurrentHashMap<>();

    static {
        CLOCK.prestartAllCoreThreads();
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "memory-clock");
        thread.setDaemon(true);
        return thread;
    }

    /** A store with sessions ends them also while nobody asks for anything. */
    @Override
    public LockProvider open() {
        if (store.traits.hasSessions()) {
            Future<?> unused = TICKING.computeIfAbsent(
                    store,
                    ticking -> CLOCK.scheduleWithFixedDelay(
                            ticking::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS));
        }
        return store.open();
    }

    @Override
    public void close() {
        Future<?> ticking = TICKING.remove(store);
        if (ticking != null) {
            ticking.cancel(false);
        }
    }

    /** The time-out of a session takes the place of every lease. */
    @Override
    public Duration lease() {
        return store.traits.hasSessions() ? PlainStore.SESSION : LockHarness.super.lease();
    }

    /** The store ends a lease to the nanosecond, and a session within a tick. */
    @Override
    public Duration expiryTolerance() {
        return store.traits.hasSessions() ? Duration.ofMillis(TICK_MILLIS) : Duration.ZERO;
    }

    @Override
    public Optional<Consumer<String>> remover() {
        return Optional.of(store::remove);
    }

    @Override
    public Faults faults() {
        return new Faults() {
            @Override
            public Optional<Fault> outage() {
                return Optional.of(new Fault(store::beginOutage, store::endOutage));
            }

            @Override
            public Optional<Fault> crash() {
                return Optional.of(new Fault(store::beginOutage, store::endCrash));
            }

            @Override
            public Optional<Consumer<LockProvider>> sessionEnd() {
                return store.traits.hasSessions()
                        ? Optional.of(provider -> store.expire((MemoryProvider) provider))
                        : Optional.empty();
            }
        };
    }
}
