package io.holdfast.lock.tck.command;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.LockHarness;
import java.time.Duration;
import java.util.UUID;

/**
 * How the kit measures a store: by a lease that is long compared with one of its calls.
 *
 * @param options what was asked for
 * @param lease to measure with
 * @param tolerance how much later than its lease a record may go
 */
record StorePace(Options options, Duration lease, Duration tolerance) {

    private static final Duration SHORTEST = Duration.ofMillis(600);
    private static final Duration TOLERANCE = Duration.ofMillis(500);
    private static final int CALLS = 20;
    private static final int CALLS_PER_LEASE = 30;

    /** Opens a provider, and calls its store a few times. Throws if there is no such store. */
    static StorePace of(Options options) {
        Duration lease = options.lease().orElseGet(() -> leaseFor(options));
        if (lease.compareTo(Duration.ofMillis(200)) < 0) {
            throw new LockConfigurationException("--lease is " + lease.toMillis() + "ms; allowed are 200ms and more");
        }
        return new StorePace(options, lease, options.tolerance().orElse(TOLERANCE));
    }

    private static Duration leaseFor(Options options) {
        try (LockProvider provider = harness(options, SHORTEST, TOLERANCE).open()) {
            String name = "tck-" + UUID.randomUUID();
            Duration slowest = Duration.ZERO;
            for (int i = 0; i < CALLS; i++) {
                long start = System.nanoTime();
                boolean unused = provider.holder(name).isPresent();
                Duration call = Duration.ofNanos(System.nanoTime() - start);
                // The first one opens connections and loads classes.
                slowest = i > 0 && call.compareTo(slowest) > 0 ? call : slowest;
            }
            Duration needed =
                    Duration.ofMillis(slowest.multipliedBy(CALLS_PER_LEASE).toMillis());
            return needed.compareTo(SHORTEST) > 0 ? needed : SHORTEST;
        }
    }

    LockHarness harness() {
        return harness(options, lease, tolerance);
    }

    private static LockHarness harness(Options options, Duration lease, Duration tolerance) {
        return new UriHarness(options.uri(), options.properties(), lease, tolerance);
    }

    @Override
    public String toString() {
        return "a lease of " + lease.toMillis() + " ms";
    }
}
