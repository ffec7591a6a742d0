package io.holdfast.bench;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/** The JDK's own lock, which is fair as ours is inside a client. */
final class JdkLocks implements Locks {

    private final Map<String, ReentrantLock> locks = new ConcurrentHashMap<>();

    @Override
    public Section section(String name) {
        return Section.over(locks.computeIfAbsent(name, unusedName -> new ReentrantLock(true)));
    }

    @Override
    public void close() {}
}
