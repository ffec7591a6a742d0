package io.holdfast.lock.tck.command;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimRequest.Claimant;
import io.holdfast.lock.spi.ClaimRequest.Intent;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.lock.tck.faults.MortalProvider.Death;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;

/** Locks for what the command finds out about a store before it runs the kit. */
final class TrialLocks {

    static final String PREFIX = "tck-";

    private static final Duration LONG_LEASE = Duration.ofSeconds(30);
    private static final Duration POLL = Duration.ofMillis(20);
    private static final ClaimSignals UNHEARD = new ClaimSignals() {
        @Override
        public void mayBeFree() {}

        @Override
        public void lost(LossCause cause) {}
    };

    private TrialLocks() {}

    /**
     * How long a lock is held by a client that is heard no more.
     *
     * @param longest throws if it is not free by then
     */
    static Duration lifeOfSession(Store store, Route route, Duration longest) {
        try (LockHarness harness = new SessionHarness(store, route, LONG_LEASE, Duration.ZERO, Death.AFTER_ITS_GRANT);
                LockProvider provider = harness.open();
                LockProvider other = connected(harness)) {
            String name = newName();
            Claim dead = claim(provider, name);
            Claim rival = claim(other, name);
            dead.attempt();
            long start = System.nanoTime();
            while (!(rival.attempt() instanceof Attempt.Granted)) {
                if (System.nanoTime() - start > longest.toNanos()) {
                    dead.release();
                    throw new LockConfigurationException("The sessions of the store last for more than "
                            + longest.toSeconds() + " s, and the kit waits for the end of many; allowed is a URI with a"
                            + " shorter time-out");
                }
                LockSupport.parkNanos(POLL.toNanos());
            }
            Duration life = Duration.ofNanos(System.nanoTime() - start);
            rival.release();
            return Duration.ofMillis(life.toMillis());
        }
    }

    /** Opens a provider and has it connect. */
    static LockProvider connected(LockHarness harness) {
        LockProvider provider = harness.open();
        Claim claim = claim(provider, newName());
        claim.attempt();
        claim.release();
        return provider;
    }

    /** A claim of a new owner, with a lease that does not end meanwhile. */
    static Claim claim(LockProvider provider, String name) {
        return provider.newClaim(
                new ClaimRequest(
                        name,
                        UUID.randomUUID().toString(),
                        UUID.randomUUID().toString(),
                        LONG_LEASE,
                        Intent.TRY_ONCE,
                        new Claimant("tck-host", ProcessHandle.current().pid(), "tck-trial")),
                UNHEARD);
    }

    static String newName() {
        return PREFIX + UUID.randomUUID();
    }
}
