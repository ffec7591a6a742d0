package io.holdfast.bench;

import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/** The JDK's own lock, which is fair as ours is inside a client. */
final class JdkLocks implements Locks {

    private final Map<String, ReentrantLock> locks = new ConcurrentHashMap<>();

    @Override
    public Section section(String name) {
        ReentrantLock lock = locks.computeIfAbsent(name, unusedName -> new ReentrantLock(true));
        return new Section() {
            @Override
            public OptionalLong enter() {
                lock.lock();
                return OptionalLong.empty();
            }

            @Override
            public void leave() {
                lock.unlock();
            }
        };
    }

    @Override
    public void close() {}
}
