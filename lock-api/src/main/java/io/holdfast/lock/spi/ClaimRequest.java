package io.holdfast.lock.spi;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.LockOptions;
import java.time.Duration;
import java.util.Objects;

/**
 * What a claim asks for.
 *
 * @param name the name of the lock; see {@link DistributedLock#requireValidName}
 * @param claimId unique for each claim among all clients of all time: letters, digits and {@code -}, at most 64 characters
 * @param ownerId whom the hold belongs to; the same in two claims if they may re-enter each other. Any text of at most 260
 *     characters: the engine puts up to four in front of {@link io.holdfast.lock.LockOwner}'s. Most owners have one claim only,
 *     whose id it is then
 * @param leaseTime how long a grant stays in force without a renewal: 1 ms to 365 days, in whole milliseconds
 * @param intent whether the claimant will wait
 * @param claimant who makes the claim, to be shown by {@link LockProvider#holder}
 */
public record ClaimRequest(
        String name, String claimId, String ownerId, Duration leaseTime, Intent intent, Claimant claimant) {

    /**
     * The rates at which two clocks run differ by less than one in this many: NTP slews a clock by at most 1/2000, and a
     * quartz is off by a tenth of that. A clock that is set is another matter.
     */
    private static final long CLOCK_RATE_DRIFT = 1_000;

    /** Whether the claimant will wait. */
    public enum Intent {
        /** One attempt, then release: nothing needs to be prepared for waiting. */
        TRY_ONCE,
        /** Attempts until it is granted or given up: {@link ClaimSignals#mayBeFree()} is wanted. */
        WAIT
    }

    /**
     * The process and thread behind a claim.
     *
     * @param host the host name
     * @param pid the process id
     * @param thread the name of the thread: any text, of any length
     */
    public record Claimant(String host, long pid, String thread) {

        /**
         * Creates a claimant.
         *
         * @param host the host name
         * @param pid the process id
         * @param thread the name of the thread
         */
        public Claimant {
            Objects.requireNonNull(host, "host");
            Objects.requireNonNull(thread, "thread");
        }
    }

    /**
     * Creates a request.
     *
     * @param name the name of the lock; see {@link DistributedLock#requireValidName}
     * @param claimId unique for each claim among all clients of all time: letters, digits and {@code -}, at most 64 characters
     * @param ownerId whom the hold belongs to; the same in two claims if they may re-enter each other
     * @param leaseTime how long a grant stays in force without a renewal: 1 ms to 365 days, in whole milliseconds
     * @param intent whether the claimant will wait
     * @param claimant who makes the claim, to be shown by {@link LockProvider#holder}
     * @throws io.holdfast.lock.LockConfigurationException if the name or the lease time is not allowed
     */
    public ClaimRequest {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(claimId, "claimId");
        Objects.requireNonNull(ownerId, "ownerId");
        Objects.requireNonNull(leaseTime, "leaseTime");
        Objects.requireNonNull(intent, "intent");
        Objects.requireNonNull(claimant, "claimant");
        DistributedLock.requireValidName(name);
        leaseTime = LockOptions.requireValidLease(leaseTime);
    }

    /**
     * What a client may count on of the lease, from just before the call, where the store's clock measures it and may run
     * faster than its own: the lease less a thousandth.
     *
     * @return for how long a grant or a renewal is valid
     */
    public Duration validFor() {
        // Not dividedBy(), which calculates with BigDecimal: each grant and each renewal asks for this.
        return leaseTime.minusNanos(leaseTime.toNanos() / CLOCK_RATE_DRIFT);
    }
}
