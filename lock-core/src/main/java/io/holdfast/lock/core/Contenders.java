package io.holdfast.lock.core;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The acquires of one client that wait, by lock name, first in, first out. Only the first of a name, its contender, goes to the
 * store; so a thousand waiting threads cost the store what one costs.
 *
 * <p>The sets are touched only inside the map's atomic functions.
 */
final class Contenders {

    private final ConcurrentHashMap<String, LinkedHashSet<Acquisition>> queues = new ConcurrentHashMap<>();

    /** Joins the queue of a name; true if that makes the acquire the contender. */
    boolean join(String name, Acquisition acquisition) {
        AtomicBoolean contends = new AtomicBoolean();
        queues.compute(name, (key, queue) -> {
            LinkedHashSet<Acquisition> joined = queue == null ? new LinkedHashSet<>() : queue;
            contends.set(joined.isEmpty());
            joined.add(acquisition);
            return joined;
        });
        return contends.get();
    }

    /** Leaves the queue; returns the acquire that becomes the contender by that. */
    Optional<Acquisition> leave(String name, Acquisition acquisition) {
        AtomicReference<@Nullable Acquisition> successor = new AtomicReference<>();
        queues.computeIfPresent(name, (key, queue) -> {
            boolean contended = first(queue) == acquisition;
            queue.remove(acquisition);
            if (queue.isEmpty()) {
                return null;
            }
            if (contended) {
                successor.set(first(queue));
            }
            return queue;
        });
        return Optional.ofNullable(successor.get());
    }

    /** The contender of a name. */
    Optional<Acquisition> first(String name) {
        AtomicReference<@Nullable Acquisition> found = new AtomicReference<>();
        queues.computeIfPresent(name, (key, queue) -> {
            found.set(first(queue));
            return queue;
        });
        return Optional.ofNullable(found.get());
    }

    /** All that wait for a name, in order. */
    List<Acquisition> waiting(String name) {
        List<Acquisition> found = new ArrayList<>();
        queues.computeIfPresent(name, (key, queue) -> {
            found.addAll(queue);
            return queue;
        });
        return found;
    }

    private static Acquisition first(Set<Acquisition> queue) {
        return queue.iterator().next();
    }
}
