package io.holdfast.lock.core.client;

import io.holdfast.lock.core.hold.OwnHandle;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What each thread has locked through {@link ThreadLock}s and not unlocked: unlocking takes the latest. The handles belong to
 * the thread, so that they count as dropped when it has ended without unlocking.
 */
final class ThreadHolds {

    private final ThreadLocal<Map<List<String>, Deque<OwnHandle>>> held = ThreadLocal.withInitial(HashMap::new);

    void push(List<String> lockNames, OwnHandle handle) {
        held.get().computeIfAbsent(lockNames, names -> new ArrayDeque<>()).push(handle);
    }

    Optional<OwnHandle> pop(List<String> lockNames) {
        Map<List<String>, Deque<OwnHandle>> own = held.get();
        Optional<OwnHandle> latest = Optional.ofNullable(own.get(lockNames)).map(Deque::pop);
        own.values().removeIf(Deque::isEmpty);
        if (own.isEmpty()) {
            held.remove();
        }
        return latest;
    }
}
