package io.holdfast.lock.core.memory;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a server is to other backends: the locks of one store, its clock, and one operation at a time.
 *
 * <p>Thread-safe. An operation runs under the store's monitor, as a script runs alone in its server; the signals that follow
 * from it are given after the monitor was left, because they run code of the engine.
 */
final class MemoryStore {

    /** The clock of a store for which nobody has chosen another. */
    static final LongSupplier SYSTEM_CLOCK = System::nanoTime;

    private static final ConcurrentHashMap<String, MemoryStore> OPEN = new ConcurrentHashMap<>();

    private final String storeName;
    private final LongSupplier clock;
    private final Map<String, MemoryLock> locks = new HashMap<>();
    private int providers;

    MemoryStore(String storeName, LongSupplier clock) {
        this.storeName = storeName;
        this.clock = clock;
    }

    /** Opens the store of a name, or joins it. The map's compute orders this against the closing of the last provider. */
    static MemoryStore open(String storeName, @Nullable LongSupplier clock) {
        return OPEN.compute(storeName, (name, open) -> {
            MemoryStore store = open != null ? open : new MemoryStore(name, clock != null ? clock : SYSTEM_CLOCK);
            if (clock != null && clock != store.clock) {
                throw new LockConfigurationException("The memory store '" + name
                        + "' is open with another clock; it has one clock for all its clients");
            }
            store.providers++;
            return store;
        });
    }

    /** Forgets the waiting claims of a client that is closed. Its claims in force stay until their leases end. */
    void leave(Supplier<MemoryStore> closed) {
        for (String name : names()) {
            boolean unused = alone(name, step -> step.lock.leave(claim -> claim.isOf(closed)));
        }
        OPEN.computeIfPresent(storeName, (name, store) -> --store.providers == 0 ? null : store);
    }

    private synchronized List<String> names() {
        return List.copyOf(locks.keySet());
    }

    Attempt attempt(MemoryClaim claim, int tokens) {
        return alone(claim.name(), step -> step.lock.attempt(claim, tokens, step.now));
    }

    Renewal renew(MemoryClaim claim) {
        return alone(claim.name(), step -> step.lock.renew(claim, step.now));
    }

    Release release(MemoryClaim claim) {
        return alone(claim.name(), step -> step.lock.release(claim));
    }

    Optional<LockHolder> holder(String name) {
        return alone(name, step -> step.lock.holder());
    }

    boolean remove(String name) {
        return alone(name, step -> {
            List<ClaimSignals> losers = step.lock.remove();
            losers.forEach(loser -> step.signals.add(() -> loser.lost(LossCause.TAKEN_OVER)));
            return !losers.isEmpty();
        });
    }

    /**
     * Runs one operation on one lock, after what has run out was dropped. The next waiter is signalled after it.
     */
    private <T> T alone(String name, Function<Step, T> operation) {
        List<Runnable> signals = new ArrayList<>(1);
        T answer;
        synchronized (this) {
            Step step = new Step(locks.computeIfAbsent(name, unknown -> new MemoryLock()), clock.getAsLong(), signals);
            step.lock.dropExpired(step.now);
            answer = operation.apply(step);
            step.lock.reserveForFirst(step.now).ifPresent(next -> signals.add(next::mayBeFree));
            if (step.lock.isUnused()) {
                locks.remove(name);
            }
        }
        signals.forEach(Runnable::run);
        return answer;
    }

    private record Step(MemoryLock lock, long now, List<Runnable> signals) {}
}
