package io.holdfast.lock;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Objects;

/**
 * How a lock is to be held. Immutable; start from {@link #DEFAULTS}.
 *
 * <p>The defaults: a lease of 30 seconds that is renewed until the lock is released, owned by the {@linkplain
 * LockOwner#caller() caller}, with nothing required of the store.
 *
 * <p>An owner's nested acquires share one claim, which has the lease time and the renewal of the acquire that began it.
 */
public final class LockOptions {

    /** The shortest lease: 1 millisecond. */
    public static final Duration MIN_LEASE = Duration.ofMillis(1);

    /** The longest lease: 365 days. */
    public static final Duration MAX_LEASE = Duration.ofDays(365);

    /** The most hand-overs of {@link #withHandOver}: 1,000. */
    public static final int MAX_HAND_OVER = 1_000;

    /** The defaults. */
    public static final LockOptions DEFAULTS = new LockOptions(
            Duration.ofSeconds(30),
            true,
            16,
            LockOwner.caller(),
            LockCapabilities.Fencing.NONE,
            LockCapabilities.Ordering.NONE);

    private final Duration leaseTime;
    private final boolean renewed;
    private final int handOver;
    private final LockOwner owner;
    private final LockCapabilities.Fencing requiredFencing;
    private final LockCapabilities.Ordering requiredOrdering;

    private LockOptions(
            Duration leaseTime,
            boolean renewed,
            int handOver,
            LockOwner owner,
            LockCapabilities.Fencing requiredFencing,
            LockCapabilities.Ordering requiredOrdering) {
        this.leaseTime = leaseTime;
        this.renewed = renewed;
        this.handOver = handOver;
        this.owner = owner;
        this.requiredFencing = requiredFencing;
        this.requiredOrdering = requiredOrdering;
    }

    /**
     * Returns a lease time if it is allowed.
     *
     * @param leaseTime a lease time
     * @return the same lease time, cut to whole milliseconds
     * @throws LockConfigurationException if it is shorter than {@link #MIN_LEASE} or longer than {@link #MAX_LEASE}
     */
    public static Duration requireValidLease(Duration leaseTime) {
        Objects.requireNonNull(leaseTime, "leaseTime");
        if (!isValidLease(leaseTime)) {
            throw new LockConfigurationException(
                    "The lease time is " + leaseTime + "; allowed are 1 ms to 365 days (PT0.001S to PT8760H)");
        }
        return leaseTime.truncatedTo(ChronoUnit.MILLIS);
    }

    static boolean isValidLease(Duration leaseTime) {
        return leaseTime.compareTo(MIN_LEASE) >= 0 && leaseTime.compareTo(MAX_LEASE) <= 0;
    }

    /**
     * These options with another lease time. Should the holder's process die, the lock is free when the lease ends; a holder
     * that lives and renews keeps it for as long as it likes. Make it at least three times the store's time-out: a
     * renewal that fails is then repeated before the lease ends.
     *
     * <p>Where a lock lasts as long as a session ({@link LockCapabilities.LeaseControl#SESSION}), the session's time-out takes
     * the place of the lease.
     *
     * @param time 1 ms to 365 days; cut to whole milliseconds
     * @return a changed copy
     * @throws LockConfigurationException if the time is out of range
     */
    public LockOptions withLeaseTime(Duration time) {
        Objects.requireNonNull(time, "time");
        return new LockOptions(requireValidLease(time), renewed, handOver, owner, requiredFencing, requiredOrdering);
    }

    /**
     * These options without automatic renewal: the lease is renewed only by {@link LockHandle#renew()}, and by a nested acquire
     * that finds less than a third of it left. The lock is lost when it runs out.
     *
     * @return a changed copy
     */
    public LockOptions withoutRenewal() {
        return new LockOptions(leaseTime, false, handOver, owner, requiredFencing, requiredOrdering);
    }

    /**
     * These options with another bound of the hand-over. When the lock is released and others of the same client wait for it, the
     * next one gets it at once, without a call to the store, with the claim of the one before and a greater fencing token. After
     * so many hand-overs in a row, or a second, or when less than a third of the lease is left, the lock is given back to the
     * store, so that other clients come to their turn. The bound that counts is the one of the acquire to which the store granted
     * the lock.
     *
     * <p>A lock is not handed over between logical owners ({@link LockOwner#of}), which the store knows by name, nor between
     * acquires with different lease times, nor to one {@linkplain #withoutRenewal without renewal}. {@link LockClient#holder}
     * shows other clients the first of the holders to whom a claim was passed on.
     *
     * @param most how many times in a row: 0 to 1,000; 0 switches it off
     * @return a changed copy
     * @throws LockConfigurationException if the number is out of range
     */
    public LockOptions withHandOver(int most) {
        return new LockOptions(
                leaseTime, renewed, requireValidHandOver(most), owner, requiredFencing, requiredOrdering);
    }

    private static int requireValidHandOver(int most) {
        if (most < 0 || most > MAX_HAND_OVER) {
            throw new LockConfigurationException("The hand-over is " + most + "; allowed are 0 to " + MAX_HAND_OVER);
        }
        return most;
    }

    /**
     * These options with another owner.
     *
     * @param lockOwner whom the holds belong to
     * @return a changed copy
     */
    public LockOptions withOwner(LockOwner lockOwner) {
        Objects.requireNonNull(lockOwner, "lockOwner");
        return new LockOptions(leaseTime, renewed, handOver, lockOwner, requiredFencing, requiredOrdering);
    }

    /**
     * These options, demanding fencing tokens of a store.
     *
     * @param least the least strength that will do
     * @return a changed copy
     */
    public LockOptions requireFencing(LockCapabilities.Fencing least) {
        Objects.requireNonNull(least, "least");
        return new LockOptions(leaseTime, renewed, handOver, owner, least, requiredOrdering);
    }

    /**
     * These options, demanding an order of waiting clients of a store.
     *
     * @param order the order; {@link LockCapabilities.Ordering#NONE} demands nothing
     * @return a changed copy
     */
    public LockOptions requireOrdering(LockCapabilities.Ordering order) {
        Objects.requireNonNull(order, "order");
        return new LockOptions(leaseTime, renewed, handOver, owner, requiredFencing, order);
    }

    /**
     * How long a claim stays in force without a renewal.
     *
     * @return the lease time, in whole milliseconds
     */
    public Duration leaseTime() {
        return leaseTime;
    }

    /**
     * Whether the engine renews the lease, about every third of its time, until the lock is released or lost.
     *
     * @return true unless {@link #withoutRenewal()} was asked for
     */
    public boolean isRenewed() {
        return renewed;
    }

    /**
     * How often the lock may pass from one holder of a client to the next without a call to the store.
     *
     * @return the bound; 0 if it never does
     */
    public int handOver() {
        return handOver;
    }

    /**
     * Whom the holds belong to.
     *
     * @return the owner
     */
    public LockOwner owner() {
        return owner;
    }

    /**
     * The least fencing strength that the store must have.
     *
     * @return the strength; {@link LockCapabilities.Fencing#NONE} if nothing is demanded
     */
    public LockCapabilities.Fencing requiredFencing() {
        return requiredFencing;
    }

    /**
     * The order of waiting clients that the store must keep.
     *
     * @return the order; {@link LockCapabilities.Ordering#NONE} if nothing is demanded
     */
    public LockCapabilities.Ordering requiredOrdering() {
        return requiredOrdering;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LockOptions options
                && options.leaseTime.equals(leaseTime)
                && options.renewed == renewed
                && options.handOver == handOver
                && options.owner.equals(owner)
                && options.requiredFencing == requiredFencing
                && options.requiredOrdering == requiredOrdering;
    }

    @Override
    public int hashCode() {
        return Objects.hash(leaseTime, renewed, handOver, owner, requiredFencing, requiredOrdering);
    }

    @Override
    public String toString() {
        return "LockOptions[leaseTime=" + leaseTime + ", renewed=" + renewed + ", handOver=" + handOver + ", owner="
                + owner + ", requiredFencing=" + requiredFencing + ", requiredOrdering=" + requiredOrdering + "]";
    }
}
