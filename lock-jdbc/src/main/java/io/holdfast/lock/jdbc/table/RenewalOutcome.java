package io.holdfast.lock.jdbc.table;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/**
 * The outcome of a renewal of several claims. A claim in neither set is lost.
 *
 * @param prolonged the ids of the claims with a new lease
 * @param locked the ids of those that are in force with their old lease, because another transaction has locked their rows
 */
public record RenewalOutcome(Set<String> prolonged, Set<String> locked) {

    /**
     * Creates it from rows in any order.
     *
     * @param prolonged the claims that were prolonged
     * @param inForce the claims that are in force, with or without the prolonged ones
     */
    public static RenewalOutcome among(Collection<String> prolonged, Collection<String> inForce) {
        Set<String> locked = new HashSet<>(inForce);
        locked.removeAll(prolonged);
        return new RenewalOutcome(Set.copyOf(prolonged), locked);
    }

    /** Adds the outcome of a second renewal of the locked claims. */
    public RenewalOutcome followedBy(RenewalOutcome later) {
        Set<String> all = new HashSet<>(prolonged);
        all.addAll(later.prolonged);
        return new RenewalOutcome(all, later.locked);
    }
}
