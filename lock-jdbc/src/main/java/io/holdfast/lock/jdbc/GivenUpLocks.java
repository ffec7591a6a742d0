package io.holdfast.lock.jdbc;

import io.holdfast.lock.jdbc.table.Stopwatch;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * The locks that this client has released a moment ago, for others that wait. They hear of it by a message, and ask when it has come. This client knows
 * at once: if it asked at once, it would nearly always be the next holder again. So it lets them go first. Thread-safe.
 */
final class GivenUpLocks {

    /** In this time a message comes over a local network, and its receiver asks. */
    private static final Duration HEARD_WITHIN = Duration.ofMillis(3);

    /** So many are remembered. Of more, the client forgets to let others go first. */
    private static final int MOST = 1_000;

    private final Map<String, Stopwatch> announced = new ConcurrentHashMap<>();

    /** This client has released the lock, and a message was sent to those who wait for it. */
    void add(String name) {
        if (announced.size() >= MOST) {
            announced.values().removeIf(since -> since.hasRunFor(HEARD_WITHIN));
        }
        if (announced.size() < MOST) {
            announced.put(name, new Stopwatch());
        }
    }

    /** Pauses the first thread that asks for the lock after a release, until others may have asked. An interrupt ends the pause, and is kept. */
    void letOthersGoFirst(String name) {
        Stopwatch since = announced.remove(name);
        if (since != null) {
            LockSupport.parkNanos(this, since.leftOf(HEARD_WITHIN).toNanos());
        }
    }
}
