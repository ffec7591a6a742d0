package io.holdfast.lock.core.local;

import io.holdfast.lock.core.claim.OwnerId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The waiters for one lock in this client. The queue is first in, first out; only its first waiter asks the store. Waiters past
 * the queue each ask for themselves. Every operation on a waiter takes constant time. Guarded by the mutex of the
 * {@link LocalLock}.
 */
final class WaitQueue {

    /** A queue that nobody is added to. */
    static final WaitQueue EMPTY = new WaitQueue();

    private final LinkedHashSet<Waiter> queue = new LinkedHashSet<>();
    private final LinkedHashSet<Waiter> pastQueue = new LinkedHashSet<>();
    private final Map<OwnerId, Set<Waiter>> byOwner = new HashMap<>();
    private final LinkedHashSet<Waiter> overdue = new LinkedHashSet<>();

    /** The first in the queue: each event asks for it, some several times. */
    private @Nullable Waiter first;

    /** Adds a waiter at the end. */
    void add(Waiter waiter) {
        queue.add(waiter);
        first = first == null ? waiter : first;
        addToOwner(waiter);
    }

    /** Adds a waiter that asks the store for itself. */
    void addPastQueue(Waiter waiter) {
        pastQueue.add(waiter);
        addToOwner(waiter);
    }

    private void addToOwner(Waiter waiter) {
        if (waiter.owner().mayReenter()) {
            byOwner.computeIfAbsent(waiter.owner(), first -> new LinkedHashSet<>())
                    .add(waiter);
        }
    }

    void remove(Waiter waiter) {
        queue.remove(waiter);
        if (waiter == first) {
            first = queue.isEmpty() ? null : queue.iterator().next();
        }
        pastQueue.remove(waiter);
        overdue.remove(waiter);
        Set<Waiter> ofOwner = byOwner.get(waiter.owner());
        if (ofOwner != null && ofOwner.remove(waiter) && ofOwner.isEmpty()) {
            byOwner.remove(waiter.owner());
        }
    }

    boolean isEmpty() {
        return queue.isEmpty() && pastQueue.isEmpty();
    }

    @Nullable
    Waiter first() {
        return first;
    }

    /** Whether others wait behind a waiter. */
    boolean hasBehind(Waiter waiter) {
        return queue.size() > 1 && queue.contains(waiter);
    }

    /** Whether a waiter asks the store: the first in the queue, and everybody past the queue. */
    boolean asksStore(Waiter waiter) {
        return waiter == first() || pastQueue.contains(waiter);
    }

    /** Everybody who asks the store. */
    List<Waiter> askers() {
        List<Waiter> askers = new ArrayList<>(pastQueue);
        if (first != null) {
            askers.add(first);
        }
        return askers;
    }

    /** Those in the queue, in their order. */
    List<Waiter> queued() {
        return List.copyOf(queue);
    }

    List<Waiter> all() {
        List<Waiter> all = new ArrayList<>(queue);
        all.addAll(pastQueue);
        return all;
    }

    /** Those that can share a hold of an owner. */
    List<Waiter> ofOwner(OwnerId owner) {
        return List.copyOf(byOwner.getOrDefault(owner, Set.of()));
    }

    /** Notes that the time of a waiter behind the first is over: it ends with the next answer. */
    void addOverdue(Waiter waiter) {
        overdue.add(waiter);
    }

    List<Waiter> overdue() {
        return List.copyOf(overdue);
    }
}
