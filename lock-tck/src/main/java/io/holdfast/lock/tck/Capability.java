package io.holdfast.lock.tck;

import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockCapabilities.Fencing;
import io.holdfast.lock.LockCapabilities.LeaseControl;
import io.holdfast.lock.LockCapabilities.Ordering;
import io.holdfast.lock.LockCapabilities.Reentrancy;
import io.holdfast.lock.LockCapabilities.WakeUp;
import java.util.Set;
import java.util.function.Function;

/** What a rule may need of a provider, in the provider's own terms: {@link LockCapabilities}. */
enum Capability {
    /** There are fencing tokens. */
    FENCED(
            "fencing",
            LockCapabilities::fencing,
            "VOLATILE or better",
            Fencing.VOLATILE,
            Fencing.CLOCKED,
            Fencing.STRICT),
    /** There are no fencing tokens. */
    UNFENCED("fencing", LockCapabilities::fencing, "NONE", Fencing.NONE),
    /** Tokens also grow after an operator has removed a record. */
    LASTINGLY_FENCED("fencing", LockCapabilities::fencing, "CLOCKED or STRICT", Fencing.CLOCKED, Fencing.STRICT),
    /** Tokens also grow after the store has lost its data. A counter in the store, which is strict, is lost with it. */
    CLOCKED("fencing", LockCapabilities::fencing, "CLOCKED", Fencing.CLOCKED),
    /** The fencing is not the strongest. */
    LESS_THAN_STRICTLY_FENCED(
            "fencing", LockCapabilities::fencing, "less than STRICT", Fencing.NONE, Fencing.VOLATILE, Fencing.CLOCKED),
    /** The store serves clients in the order in which they came. */
    ORDERED("ordering", LockCapabilities::ordering, "FIFO", Ordering.FIFO),
    /** It does not. */
    UNORDERED("ordering", LockCapabilities::ordering, "NONE", Ordering.NONE),
    /** The store wakes waiting claims. */
    PUSHED("wake-up", LockCapabilities::wakeUp, "PUSH", WakeUp.PUSH),
    /** The store counts the holds of an owner. */
    COUNTED_BY_STORE("reentrancy", LockCapabilities::reentrancy, "STORE", Reentrancy.STORE),
    /** The client counts the holds of an owner. */
    COUNTED_BY_CLIENT("reentrancy", LockCapabilities::reentrancy, "CLIENT", Reentrancy.CLIENT),
    /** Each claim has its own lease time. */
    LEASED_PER_CLAIM("lease control", LockCapabilities::leaseControl, "PER_CLAIM", LeaseControl.PER_CLAIM),
    /** The session of the client takes the place of all leases. */
    LEASED_PER_SESSION("lease control", LockCapabilities::leaseControl, "SESSION", LeaseControl.SESSION);

    private final String subject;

    @SuppressWarnings("ImmutableEnumChecker") // A method reference keeps nothing.
    private final Function<LockCapabilities, Enum<?>> declaration;

    private final String needed;

    @SuppressWarnings("ImmutableEnumChecker") // It comes from Set.of.
    private final Set<Enum<?>> meeting;

    Capability(String subject, Function<LockCapabilities, Enum<?>> declaration, String needed, Enum<?>... meeting) {
        this.subject = subject;
        this.declaration = declaration;
        this.needed = needed;
        this.meeting = Set.of(meeting);
    }

    boolean isMetBy(LockCapabilities declared) {
        return meeting.contains(declaration.apply(declared));
    }

    String mismatchWith(LockCapabilities declared) {
        return "the provider declares " + subject + " " + declaration.apply(declared) + ", the rule needs " + needed;
    }
}
