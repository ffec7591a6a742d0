package io.holdfast.lock.tck;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.spi.LockProvider;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.opentest4j.TestAbortedException;

/** The claims of one test that may have something at the store, and the feeds that wake them. */
final class OpenClaims {

    private final Set<DrivenClaim> claims = new LinkedHashSet<>();
    private final IdentityHashMap<LockProvider, Feed> feeds = new IdentityHashMap<>();
    private final Duration longLease;
    private volatile boolean couldEnd;
    private volatile boolean feedsAreSilent;
    private Duration slowest = Duration.ZERO;

    /**
     * Begins with none.
     *
     * @param longLease a lease that does not end before the test
     */
    OpenClaims(Duration longLease) {
        this.longLease = longLease;
    }

    /** A lease that does not end before the test. */
    Duration longLease() {
        return longLease;
    }

    /** A lease that does not end while a store is started again, either. */
    Duration veryLongLease() {
        return longLease.multipliedBy(10);
    }

    /** Runs what needs the very long lease, and skips the rule if the provider refuses that. */
    static <T> T skippingIfRefused(Supplier<T> granting) {
        try {
            return granting.get();
        } catch (LockConfigurationException refused) {
            Kit.mustGiveAReason(refused);
            throw new TestAbortedException(
                    "not applicable: the provider refuses the lease that the rule needs: " + refused.getMessage());
        }
    }

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

    /** Notes a lease that the test relies on. It may end before the test does. */
    void reliesOn(Duration lease) {
        if (lease.compareTo(longLease) < 0) {
            couldEnd = true;
        }
    }

    /** Makes a call of the store, and notes how long it took, also if it failed: perhaps because the store stood still. */
    <T> T timed(Supplier<T> call) {
        long start = Pace.now();
        try {
            return call.get();
        } finally {
            took(Pace.since(start));
        }
    }

    synchronized void took(Duration time) {
        // One that hangs tells nothing of the pace of the store.
        if (time.compareTo(slowest) > 0 && time.compareTo(Pace.HANGS) < 0) {
            slowest = time;
        }
    }

    /** The longest that a call of the store took: a store that stands still is no better than a machine that does. */
    synchronized Duration slowest() {
        return slowest;
    }

    boolean couldEnd() {
        return couldEnd;
    }

    /**
     * Waits until a feed listens to a name; no more in a test in which it did not within the bound, as some feeds never say so.
     */
    void awaitListening(Feed feed, String name) {
        if (!feedsAreSilent) {
            feedsAreSilent = !feed.awaitListening(name, Pace.LISTENS_WITHIN);
        }
    }

    /** The feed of a provider: the provider gives it out once. */
    synchronized Feed feed(LockProvider provider) {
        return feeds.computeIfAbsent(provider, Feed::new);
    }
}
