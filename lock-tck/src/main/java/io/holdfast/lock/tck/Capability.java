package io.holdfast.lock.tck;

import io.holdfast.lock.ApiStatus;
import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockCapabilities.Fencing;
import io.holdfast.lock.LockCapabilities.LeaseControl;
import io.holdfast.lock.LockCapabilities.Ordering;
import io.holdfast.lock.LockCapabilities.Reentrancy;
import io.holdfast.lock.LockCapabilities.WakeUp;
import java.util.function.Function;
import java.util.function.Predicate;

/** What a rule may need of a provider, in the provider's own terms: {@link LockCapabilities}. */
@ApiStatus(ApiStatus.Level.EXPERIMENTAL)
public enum Capability {
    /** There are fencing tokens. */
    FENCED("fencing", "VOLATILE or better", LockCapabilities::fencing, c -> c.fencing() != Fencing.NONE),
    /** There are none. */
    UNFENCED("fencing", "NONE", LockCapabilities::fencing, c -> c.fencing() == Fencing.NONE),
    /** Tokens grow across all that the store survives. */
    STRICTLY_FENCED("fencing", "STRICT", LockCapabilities::fencing, c -> c.fencing() == Fencing.STRICT),
    /** There is a stronger fencing than the provider's. */
    LESS_THAN_STRICTLY_FENCED(
            "fencing", "less than STRICT", LockCapabilities::fencing, c -> c.fencing() != Fencing.STRICT),
    /** Clients get their turn in order. */
    ORDERED("ordering", "FIFO", LockCapabilities::ordering, c -> c.ordering() == Ordering.FIFO),
    /** They do not. */
    UNORDERED("ordering", "NONE", LockCapabilities::ordering, c -> c.ordering() == Ordering.NONE),
    /** Waiting bids are told when to come. */
    PUSHED("wake-up", "PUSH", LockCapabilities::wakeUp, c -> c.wakeUp() == WakeUp.PUSH),
    /** The store counts the holds of an owner. */
    COUNTED_BY_STORE("reentrancy", "STORE", LockCapabilities::reentrancy, c -> c.reentrancy() == Reentrancy.STORE),
    /** The client does. */
    COUNTED_BY_CLIENT("reentrancy", "CLIENT", LockCapabilities::reentrancy, c -> c.reentrancy() == Reentrancy.CLIENT),
    /** Each claim has its own lease time. */
    LEASED_PER_CLAIM(
            "lease control", "PER_CLAIM", LockCapabilities::leaseControl, c -> c.leaseControl() == LeaseControl.PER_CLAIM);

    private final String subject;
    private final String needed;
    private final Function<LockCapabilities, Enum<?>> declaration;
    private final Predicate<LockCapabilities> met;

    Capability(
            String subject,
            String needed,
            Function<LockCapabilities, Enum<?>> declaration,
            Predicate<LockCapabilities> met) {
        this.subject = subject;
        this.needed = needed;
        this.declaration = declaration;
        this.met = met;
    }

    boolean isMetBy(LockCapabilities capabilities) {
        return met.test(capabilities);
    }

    String mismatchWith(LockCapabilities capabilities) {
        return "the provider declares " + subject + " " + declaration.apply(capabilities) + ", the rule needs " + needed;
    }
}
