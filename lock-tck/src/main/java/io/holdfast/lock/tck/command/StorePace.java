package io.holdfast.lock.tck.command;

import io.holdfast.lock.LockCapabilities.Fencing;
import io.holdfast.lock.LockCapabilities.LeaseControl;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockException;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.LockProvider;
import java.time.Duration;

/**
 * How the kit measures a store: by a lease that is long compared with one of its calls, or by the time-out of its sessions.
 *
 * @param store the store, perhaps with a shorter time-out than was asked for
 * @param sessions whether it keeps a lock for as long as a session lasts
 * @param fenced whether there are fencing tokens
 * @param lease to measure with
 * @param tolerance how much later than its lease a record may go
 * @param testsAtATime how many tests run beside each other: they mostly wait
 */
record StorePace(Store store, boolean sessions, boolean fenced, Duration lease, Duration tolerance, int testsAtATime) {

    private static final Duration SHORTEST = Duration.ofMillis(600);
    private static final Duration TOLERANCE = Duration.ofMillis(500);
    /** A server looks for ended sessions from time to time, ZooKeeper every 2 seconds; the rest is for a busy server. */
    private static final Duration TOLERANCE_OF_SESSIONS = Duration.ofSeconds(3);
    /** The kit waits for the end of many leases. */
    private static final Duration LONG_SESSION = Duration.ofSeconds(5);

    private static final Duration LONGEST = Duration.ofSeconds(30);
    private static final String SESSION_PARAMETER = "sessionTimeout";
    private static final Duration SESSION = Duration.ofSeconds(2);
    private static final int CALLS = 20;
    /** A call that leaves the process, or is parsed, takes longer. */
    private static final Duration INSTANT = Duration.ofNanos(100_000);

    private static final int FEW_TESTS = 8;
    private static final int MANY_TESTS = 24;
    private static final int CALLS_PER_LEASE = 30;

    /** Opens a provider, and calls its store a few times. Throws if there is no such store. */
    static StorePace of(Options options) {
        options.lease().ifPresent(StorePace::check);
        Store store = Store.of(options);
        try (LockProvider provider = store.open()) {
            if (provider.capabilities().leaseControl() == LeaseControl.SESSION) {
                return ofSessions(store, options, isFenced(provider));
            }
            Duration call = slowestCall(provider);
            Duration lease = options.lease().orElseGet(() -> leaseFor(call));
            check(lease);
            return new StorePace(
                    store,
                    false,
                    isFenced(provider),
                    lease,
                    options.tolerance().orElse(TOLERANCE),
                    call.compareTo(INSTANT) < 0 ? MANY_TESTS : FEW_TESTS);
        }
    }

    private static boolean isFenced(LockProvider provider) {
        return provider.capabilities().fencing() != Fencing.NONE;
    }

    private static void check(Duration lease) {
        if (lease.compareTo(Duration.ofMillis(200)) < 0) {
            throw new LockConfigurationException("--lease is " + lease.toMillis() + "ms; allowed are 200ms and more");
        }
    }

    private static Duration slowestCall(LockProvider provider) {
        String name = TrialLocks.newName();
        Duration slowest = Duration.ZERO;
        for (int i = 0; i < CALLS; i++) {
            long start = System.nanoTime();
            boolean unused = provider.holder(name).isPresent();
            Duration call = Duration.ofNanos(System.nanoTime() - start);
            // The first one opens connections and loads classes.
            slowest = i > 0 && call.compareTo(slowest) > 0 ? call : slowest;
        }
        return slowest;
    }

    private static Duration leaseFor(Duration call) {
        Duration needed = Duration.ofMillis(call.multipliedBy(CALLS_PER_LEASE).toMillis());
        return needed.compareTo(SHORTEST) > 0 ? needed : SHORTEST;
    }

    private static StorePace ofSessions(Store given, Options options, boolean fenced) {
        Store store = given;
        Duration validFor = validFor(given);
        if (validFor.compareTo(LONG_SESSION) > 0 && !given.names(SESSION_PARAMETER)) {
            store = quicker(given, validFor);
        }
        Address address = Address.in(store.uri()).orElseThrow(() -> Testbed.noProxy(Address.absence(given.uri())));
        Duration life = TrialLocks.lifeOfSession(store, Route.byProxy(address), LONGEST);
        // What a grant promises may be much less than the time-out.
        Duration least = validFor(store).compareTo(SESSION) > 0 ? validFor(store) : SESSION;
        Duration lease = options.lease().orElse(least.compareTo(life) < 0 ? least : life);
        Duration late = life.compareTo(lease) > 0 ? life.minus(lease) : Duration.ZERO;
        return new StorePace(
                store, true, fenced, lease, options.tolerance().orElse(late.plus(TOLERANCE_OF_SESSIONS)), FEW_TESTS);
    }

    /** The store with a shorter time-out of its sessions, if its backend knows the usual parameter. */
    private static Store quicker(Store given, Duration validFor) {
        Store quicker = given.with(SESSION_PARAMETER, SESSION.toMillis() + "ms");
        try {
            return validFor(quicker).compareTo(validFor) < 0 ? quicker : given;
        } catch (LockException refused) {
            return given;
        }
    }

    private static Duration validFor(Store store) {
        try (LockProvider provider = store.open()) {
            Claim claim = TrialLocks.claim(provider, TrialLocks.newName());
            try {
                if (claim.attempt() instanceof Attempt.Granted granted) {
                    return Duration.ofMillis(
                            granted.validFor().plusNanos(999_999).toMillis());
                }
                throw new LockConfigurationException(
                        "The first attempt for a free lock was not granted; allowed is a" + " provider that grants it");
            } finally {
                claim.release();
            }
        }
    }

    @Override
    public String toString() {
        return (sessions ? "sessions" : "a lease") + " of " + lease.toMillis() + " ms";
    }
}
