package io.holdfast.lock.jdbc.table;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * The releases of a moment ago of which a provider has sent a message to clients that wait. They ask when the message has come. The provider that
 * released knows at once: if it asked at once, it would nearly always be the next holder again. So it lets them go first. Thread-safe.
 */
public final class AnnouncedReleases {

    /** In this time a message comes over a local network, and its receiver asks. */
    private static final Duration HEARD_WITHIN = Duration.ofMillis(3);

    /** So many are remembered; for more there is no pause. */
    private static final int MOST = 1_000;

    private final Map<String, Stopwatch> releases = new ConcurrentHashMap<>();

    /** Knows of no release. */
    public AnnouncedReleases() {}

    /**
     * Notes that the provider has released a lock, and that a message was sent to those who wait for it.
     *
     * @param name of the lock
     */
    void add(String name) {
        if (releases.size() >= MOST) {
            releases.values().removeIf(since -> since.hasRunFor(HEARD_WITHIN));
        }
        if (releases.size() < MOST) {
            releases.put(name, new Stopwatch());
        }
    }

    /**
     * Pauses the first thread that asks for a lock after its release, until others may have asked. An interrupt ends the pause, and is kept.
     *
     * @param name of the lock
     */
    void letOthersGoFirst(String name) {
        Stopwatch since = releases.remove(name);
        while (since != null
                && !since.hasRunFor(HEARD_WITHIN)
                && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(this, since.leftOf(HEARD_WITHIN).toNanos());
        }
    }
}
