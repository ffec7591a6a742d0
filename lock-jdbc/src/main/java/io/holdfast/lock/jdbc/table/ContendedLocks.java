package io.holdfast.lock.jdbc.table;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * What a provider has seen of other clients that want its locks, a moment ago. Those that wait ask when the message of a release
 * has come. The provider that released knows at once: if it asked at once, it would nearly always be the next holder again. So it
 * lets them go first. Thread-safe.
 */
public final class ContendedLocks {

    /** In this time a message comes over a local network, and its receiver asks. */
    private static final Duration HEARD_WITHIN = Duration.ofMillis(3);

    /** A client that has not been seen for so long counts as gone. Until then each release is followed by a pause. */
    private static final Duration SEEN_WITHIN = Duration.ofMillis(100);

    /** So many locks are remembered; the others count as not contended. */
    private static final int MOST = 1_000;

    private final Map<String, Stopwatch> sightings = new ConcurrentHashMap<>();
    private final Map<String, Stopwatch> releases = new ConcurrentHashMap<>();

    /** Knows of no lock. */
    public ContendedLocks() {}

    /**
     * Notes that somebody else wants a lock, or has it: mostly another client, seldom another claim of this one.
     *
     * @param name of the lock
     */
    void noteRival(String name) {
        note(sightings, name, SEEN_WITHIN);
    }

    /**
     * Whether another client was seen a moment ago.
     *
     * @param name of the lock
     */
    boolean hasRival(String name) {
        Stopwatch since = sightings.get(name);
        return since != null && !since.hasRunFor(SEEN_WITHIN);
    }

    /**
     * Notes that the provider has released a lock, and that a message was sent to those who wait for it.
     *
     * @param name of the lock
     */
    void noteRelease(String name) {
        note(releases, name, HEARD_WITHIN);
    }

    private static void note(Map<String, Stopwatch> times, String name, Duration kept) {
        boolean known = times.containsKey(name);
        if (!known && times.size() >= MOST) {
            times.values().removeIf(since -> since.hasRunFor(kept));
        }
        if (known || times.size() < MOST) {
            times.put(name, new Stopwatch());
        }
    }

    /**
     * Pauses the first thread that asks for a lock after its release, until others may have asked. An interrupt ends the pause,
     * and is kept.
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
