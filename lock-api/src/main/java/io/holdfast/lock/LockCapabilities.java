package io.holdfast.lock;

import java.time.Duration;
import java.util.Objects;

/**
 * What a lock store can do, as far as it changes the behaviour of the engine or of the caller.
 *
 * <p>Start from {@link #BASIC} and name what the store does better.
 *
 * @param fencing how far its fencing tokens can be relied on
 * @param ordering whether waiting clients get their turn in order
 * @param wakeUp how a waiting client learns that the lock may be free
 * @param reentrancy where the holds of one owner are counted
 * @param leaseControl whether the lease time is chosen by each claim
 * @param expiryTolerance how much later than its lease an abandoned claim may end
 * @param renewalBatch how many claims one {@link io.holdfast.lock.spi.LockProvider#renewAll} should carry, at least 1
 */
@ApiStatus(ApiStatus.Level.EXPERIMENTAL)
public record LockCapabilities(
        Fencing fencing,
        Ordering ordering,
        WakeUp wakeUp,
        Reentrancy reentrancy,
        LeaseControl leaseControl,
        Duration expiryTolerance,
        int renewalBatch) {

    /** The least that a store can offer: no tokens, no order, polling, holds counted by the client. */
    public static final LockCapabilities BASIC = new LockCapabilities(
            Fencing.NONE,
            Ordering.NONE,
            WakeUp.POLL,
            Reentrancy.CLIENT,
            LeaseControl.PER_CLAIM,
            Duration.ofMillis(500),
            1);

    /**
     * Creates capabilities.
     *
     * @param fencing how far its fencing tokens can be relied on
     * @param ordering whether waiting clients get their turn in order
     * @param wakeUp how a waiting client learns that the lock may be free
     * @param reentrancy where the holds of one owner are counted
     * @param leaseControl whether the lease time is chosen by each claim
     * @param expiryTolerance how much later than its lease an abandoned claim may end
     * @param renewalBatch how many claims one {@link io.holdfast.lock.spi.LockProvider#renewAll} should carry, at least 1
     * @throws IllegalArgumentException if the tolerance is negative or the batch smaller than 1
     */
    public LockCapabilities {
        Objects.requireNonNull(fencing, "fencing");
        Objects.requireNonNull(ordering, "ordering");
        Objects.requireNonNull(wakeUp, "wakeUp");
        Objects.requireNonNull(reentrancy, "reentrancy");
        Objects.requireNonNull(leaseControl, "leaseControl");
        Objects.requireNonNull(expiryTolerance, "expiryTolerance");
        if (expiryTolerance.isNegative()) {
            throw new IllegalArgumentException("expiryTolerance must not be negative: " + expiryTolerance);
        }
        if (renewalBatch < 1) {
            throw new IllegalArgumentException("renewalBatch must be at least 1: " + renewalBatch);
        }
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

    /** Whether waiting clients get their turn in order. */
    public enum Ordering {
        /** Whoever comes first after a release. Inside one client it is always first in, first out. */
        NONE,
        /** First in, first out across clients, each of which has one place in the line for a name, that of its first waiter. */
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
        return new LockCapabilities(
                strength, ordering, wakeUp, reentrancy, leaseControl, expiryTolerance, renewalBatch);
    }

    /**
     * These capabilities with another order of waiting clients.
     *
     * @param order the order
     * @return a changed copy
     */
    public LockCapabilities withOrdering(Ordering order) {
        Objects.requireNonNull(order, "order");
        return new LockCapabilities(fencing, order, wakeUp, reentrancy, leaseControl, expiryTolerance, renewalBatch);
    }

    /**
     * These capabilities with another way of waking up.
     *
     * @param way the way
     * @return a changed copy
     */
    public LockCapabilities withWakeUp(WakeUp way) {
        Objects.requireNonNull(way, "way");
        return new LockCapabilities(fencing, ordering, way, reentrancy, leaseControl, expiryTolerance, renewalBatch);
    }

    /**
     * These capabilities with another place where holds are counted.
     *
     * @param place the place
     * @return a changed copy
     */
    public LockCapabilities withReentrancy(Reentrancy place) {
        Objects.requireNonNull(place, "place");
        return new LockCapabilities(fencing, ordering, wakeUp, place, leaseControl, expiryTolerance, renewalBatch);
    }

    /**
     * These capabilities with another lease control.
     *
     * @param control the control
     * @return a changed copy
     */
    public LockCapabilities withLeaseControl(LeaseControl control) {
        Objects.requireNonNull(control, "control");
        return new LockCapabilities(fencing, ordering, wakeUp, reentrancy, control, expiryTolerance, renewalBatch);
    }

    /**
     * These capabilities with another expiry tolerance.
     *
     * @param tolerance how much later than its lease an abandoned claim may end
     * @return a changed copy
     */
    public LockCapabilities withExpiryTolerance(Duration tolerance) {
        Objects.requireNonNull(tolerance, "tolerance");
        return new LockCapabilities(fencing, ordering, wakeUp, reentrancy, leaseControl, tolerance, renewalBatch);
    }

    /**
     * These capabilities with another renewal batch.
     *
     * @param size how many claims one call should renew
     * @return a changed copy
     */
    public LockCapabilities withRenewalBatch(int size) {
        return new LockCapabilities(fencing, ordering, wakeUp, reentrancy, leaseControl, expiryTolerance, size);
    }
}
