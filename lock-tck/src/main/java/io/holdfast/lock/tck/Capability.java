package io.holdfast.lock.tck;

import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockCapabilities.Fencing;
import io.holdfast.lock.LockCapabilities.LeaseControl;
import io.holdfast.lock.LockCapabilities.Ordering;
import io.holdfast.lock.LockCapabilities.Reentrancy;
import io.holdfast.lock.LockCapabilities.WakeUp;

/** What a rule may need of a provider, in the provider's own terms: {@link LockCapabilities}. */
public enum Capability {
    /** There are fencing tokens. */
    FENCED("fencing", "VOLATILE or better"),
    /** There are no fencing tokens. */
    UNFENCED("fencing", "NONE"),
    /** Tokens also grow after the store has lost its data. */
    LASTINGLY_FENCED("fencing", "CLOCKED or STRICT"),
    /** The fencing is not the strongest. */
    LESS_THAN_STRICTLY_FENCED("fencing", "less than STRICT"),
    /** The store serves clients in the order in which they came. */
    ORDERED("ordering", "FIFO"),
    /** It does not. */
    UNORDERED("ordering", "NONE"),
    /** The store wakes waiting claims. */
    PUSHED("wake-up", "PUSH"),
    /** The store counts the holds of an owner. */
    COUNTED_BY_STORE("reentrancy", "STORE"),
    /** The client counts the holds of an owner. */
    COUNTED_BY_CLIENT("reentrancy", "CLIENT"),
    /** Each claim has its own lease time. */
    LEASED_PER_CLAIM("lease control", "PER_CLAIM");

    private final String subject;
    private final String needed;

    Capability(String subject, String needed) {
        this.subject = subject;
        this.needed = needed;
    }

    boolean isMetBy(LockCapabilities declared) {
        return switch (this) {
            case FENCED -> declared.fencing() != Fencing.NONE;
            case UNFENCED -> declared.fencing() == Fencing.NONE;
            case LASTINGLY_FENCED -> declared.fencing() == Fencing.CLOCKED || declared.fencing() == Fencing.STRICT;
            case LESS_THAN_STRICTLY_FENCED -> declared.fencing() != Fencing.STRICT;
            case ORDERED -> declared.ordering() == Ordering.FIFO;
            case UNORDERED -> declared.ordering() == Ordering.NONE;
            case PUSHED -> declared.wakeUp() == WakeUp.PUSH;
            case COUNTED_BY_STORE -> declared.reentrancy() == Reentrancy.STORE;
            case COUNTED_BY_CLIENT -> declared.reentrancy() == Reentrancy.CLIENT;
            case LEASED_PER_CLAIM -> declared.leaseControl() == LeaseControl.PER_CLAIM;
        };
    }

    String mismatchWith(LockCapabilities declared) {
        Enum<?> declaration = switch (this) {
            case FENCED, UNFENCED, LASTINGLY_FENCED, LESS_THAN_STRICTLY_FENCED -> declared.fencing();
            case ORDERED, UNORDERED -> declared.ordering();
            case PUSHED -> declared.wakeUp();
            case COUNTED_BY_STORE, COUNTED_BY_CLIENT -> declared.reentrancy();
            case LEASED_PER_CLAIM -> declared.leaseControl();
        };
        return "the provider declares " + subject + " " + declaration + ", the rule needs " + needed;
    }
}
