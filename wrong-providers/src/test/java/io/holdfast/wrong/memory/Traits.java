package io.holdfast.wrong.memory;

import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockCapabilities.Fencing;
import io.holdfast.lock.LockCapabilities.LeaseControl;
import io.holdfast.lock.LockCapabilities.Ordering;
import io.holdfast.lock.LockCapabilities.Reentrancy;
import io.holdfast.lock.LockCapabilities.WakeUp;

/** What a store in memory can do. */
enum Traits {
    /** Each waiting claim is signalled at each release. */
    PLAIN(base().withWakeUp(WakeUp.PUSH)),
    /** A feed reports the releases. */
    FEED(base().withWakeUp(WakeUp.PUSH)),
    /** Claims of different clients are served in the order in which they came. */
    LINE(base().withWakeUp(WakeUp.PUSH).withOrdering(Ordering.FIFO)),
    /** An owner re-enters through another client. */
    SHARED(base().withWakeUp(WakeUp.PUSH).withReentrancy(Reentrancy.STORE)),
    /** Claims last as long as the session of their client. */
    SESSION(base().withWakeUp(WakeUp.PUSH).withLeaseControl(LeaseControl.SESSION)),
    /** Claims last as long as the session of their client, and an owner re-enters through another client. */
    SHARED_SESSION(SESSION.capabilities.withReentrancy(Reentrancy.STORE)),
    /** Tokens grow for as long as there is the store. */
    STRICT(base().withWakeUp(WakeUp.PUSH).withFencing(Fencing.STRICT)),
    /** Waiters ask again. */
    POLLING(base());

    @SuppressWarnings("ImmutableEnumChecker") // They are immutable, and say so in their Javadoc.
    private final LockCapabilities capabilities;

    Traits(LockCapabilities capabilities) {
        this.capabilities = capabilities;
    }

    LockCapabilities capabilities() {
        return capabilities;
    }

    /** Whether the store has to know who waits. */
    boolean keepLine() {
        return this != FEED && this != POLLING;
    }

    boolean hasSessions() {
        return capabilities.leaseControl() == LeaseControl.SESSION;
    }

    boolean letsOwnersIn() {
        return capabilities.reentrancy() == Reentrancy.STORE;
    }

    private static LockCapabilities base() {
        return LockCapabilities.BASIC.withFencing(Fencing.VOLATILE);
    }
}
