package io.holdfast.lock;

import java.util.Objects;

/**
 * What a lock store can do, as far as it changes how the engine or the caller behaves. Immutable.
 *
 * <p>Start from {@link #BASIC} and name what the store does better.
 */
public final class LockCapabilities {

    /** The least that a store can offer: no tokens, no order, polling, holds counted by the client, a lease for each claim. */
    public static final LockCapabilities BASIC =
            new LockCapabilities(Fencing.NONE, Ordering.NONE, WakeUp.POLL, Reentrancy.CLIENT, LeaseControl.PER_CLAIM);

    private final Fencing fencing;
    private final Ordering ordering;
    private final WakeUp wakeUp;
    private final Reentrancy reentrancy;
    private final LeaseControl leaseControl;

    private LockCapabilities(
            Fencing fencing, Ordering ordering, WakeUp wakeUp, Reentrancy reentrancy, LeaseControl leaseControl) {
        this.fencing = fencing;
        this.ordering = ordering;
        this.wakeUp = wakeUp;
        this.reentrancy = reentrancy;
        this.leaseControl = leaseControl;
    }

    /** How far the growth of fencing tokens can be relied on; a later constant promises more. */
    public enum Fencing {
        /** There are no tokens. */
        NONE,
        /** Tokens grow for as long as the store keeps its data. */
        VOLATILE,
        /** Tokens also grow across a loss of the store's data, as long as the store's clock is not behind the last token. */
        CLOCKED,
        /** Tokens grow across everything that the store itself survives. */
        STRICT
    }

    /** Whether waiting clients get the lock in the order in which they came. */
    public enum Ordering {
        /** The next client that asks after a release gets it. Inside one client it is always first in, first out. */
        NONE,
        /** First in, first out across clients. A client has one place in the queue for a name, that of its first waiter. */
        FIFO
    }

    /** How a waiting client learns that the lock may be free. */
    public enum WakeUp {
        /** By asking again. */
        POLL,
        /** By a message of the store; asking again is only the safety net. */
        PUSH
    }

    /** Where the holds of one owner are counted. */
    public enum Reentrancy {
        /** In the client: an owner re-enters only through the client that holds the lock. */
        CLIENT,
        /** In the store: the same logical owner re-enters from another client, too. */
        STORE
    }

    /** Whether the lease time is chosen by each claim. */
    public enum LeaseControl {
        /** Each claim has the lease time that it asked for. */
        PER_CLAIM,
        /** All claims of a client share the time-out of its session with the store. */
        SESSION
    }

    /**
     * These capabilities with another fencing strength.
     *
     * @param strength the strength
     * @return a changed copy
     */
    public LockCapabilities withFencing(Fencing strength) {
        Objects.requireNonNull(strength, "strength");
        return new LockCapabilities(strength, ordering, wakeUp, reentrancy, leaseControl);
    }

    /**
     * These capabilities with another order of waiting clients.
     *
     * @param order the order
     * @return a changed copy
     */
    public LockCapabilities withOrdering(Ordering order) {
        Objects.requireNonNull(order, "order");
        return new LockCapabilities(fencing, order, wakeUp, reentrancy, leaseControl);
    }

    /**
     * These capabilities with another way of waking up.
     *
     * @param way the way
     * @return a changed copy
     */
    public LockCapabilities withWakeUp(WakeUp way) {
        Objects.requireNonNull(way, "way");
        return new LockCapabilities(fencing, ordering, way, reentrancy, leaseControl);
    }

    /**
     * These capabilities with another place where holds are counted.
     *
     * @param place the place
     * @return a changed copy
     */
    public LockCapabilities withReentrancy(Reentrancy place) {
        Objects.requireNonNull(place, "place");
        return new LockCapabilities(fencing, ordering, wakeUp, place, leaseControl);
    }

    /**
     * These capabilities with another lease control.
     *
     * @param control the control
     * @return a changed copy
     */
    public LockCapabilities withLeaseControl(LeaseControl control) {
        Objects.requireNonNull(control, "control");
        return new LockCapabilities(fencing, ordering, wakeUp, reentrancy, control);
    }

    /**
     * How far the store's fencing tokens can be relied on.
     *
     * @return the strength
     */
    public Fencing fencing() {
        return fencing;
    }

    /**
     * Whether waiting clients get the lock in order.
     *
     * @return the order
     */
    public Ordering ordering() {
        return ordering;
    }

    /**
     * How a waiting client learns that the lock may be free.
     *
     * @return the way
     */
    public WakeUp wakeUp() {
        return wakeUp;
    }

    /**
     * Where the holds of one owner are counted.
     *
     * @return the place
     */
    public Reentrancy reentrancy() {
        return reentrancy;
    }

    /**
     * Whether each claim chooses its lease time.
     *
     * @return the control
     */
    public LeaseControl leaseControl() {
        return leaseControl;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LockCapabilities that
                && that.fencing == fencing
                && that.ordering == ordering
                && that.wakeUp == wakeUp
                && that.reentrancy == reentrancy
                && that.leaseControl == leaseControl;
    }

    @Override
    public int hashCode() {
        return Objects.hash(fencing, ordering, wakeUp, reentrancy, leaseControl);
    }

    @Override
    public String toString() {
        return "LockCapabilities[fencing=" + fencing + ", ordering=" + ordering + ", wakeUp=" + wakeUp + ", reentrancy="
                + reentrancy + ", leaseControl=" + leaseControl + "]";
    }
}
