package io.holdfast.lock.tck;

import io.holdfast.lock.spi.LockProvider;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The claims of one test that may have something at the store, and the feeds that wake them. */
final class OpenClaims {

    private final Set<DrivenClaim> claims = new LinkedHashSet<>();
    private final IdentityHashMap<LockProvider, Feed> feeds = new IdentityHashMap<>();
    private volatile boolean couldEnd;
    private long slowest;

    /** Adds a claim, which the kit releases at the end of the test, as the engine would. */
    synchronized void add(DrivenClaim claim) {
        claims.add(claim);
    }

    synchronized void remove(DrivenClaim claim) {
        claims.remove(claim);
    }

    synchronized List<DrivenClaim> all() {
        return List.copyOf(claims);
    }

    /** Notes that the test relies on a lease that may end before the test does. */
    void mayEndDuringTheTest() {
        couldEnd = true;
    }

    /** Notes how long a call of the store took. */
    synchronized void took(long nanos) {
        slowest = Math.max(slowest, nanos);
    }

    /** The longest that a call of the store took: a store that stands still is no better than a machine that does. */
    synchronized Duration slowest() {
        return Duration.ofNanos(slowest);
    }

    boolean couldEnd() {
        return couldEnd;
    }

    /** The feed of a provider: the provider gives it out once. */
    synchronized Feed feed(LockProvider provider) {
        return feeds.computeIfAbsent(provider, Feed::new);
    }
}
