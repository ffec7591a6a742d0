package io.holdfast.lock.core;

import io.holdfast.lock.LockHandle;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** What each thread has locked through {@link ThreadLock}s and not unlocked: unlocking takes the latest. */
final class ThreadHolds {

    private final ConcurrentHashMap<Key, Deque<LockHandle>> held = new ConcurrentHashMap<>();

    private record Key(List<String> lockNames, String ownerId) {}

    void push(List<String> lockNames, OwnerId thread, LockHandle handle) {
        held.compute(new Key(lockNames, thread.id()), (key, handles) -> {
            Deque<LockHandle> pushed = handles == null ? new ArrayDeque<>() : handles;
            pushed.push(handle);
            return pushed;
        });
    }

    Optional<LockHandle> pop(List<String> lockNames, OwnerId thread) {
        AtomicReference<@Nullable LockHandle> latest = new AtomicReference<>();
        held.computeIfPresent(new Key(lockNames, thread.id()), (key, handles) -> {
            latest.set(handles.pop());
            return handles.isEmpty() ? null : handles;
        });
        return Optional.ofNullable(latest.get());
    }
}
