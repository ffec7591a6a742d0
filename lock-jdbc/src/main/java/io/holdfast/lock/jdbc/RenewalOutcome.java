package io.holdfast.lock.jdbc;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/**
 * What a renewal has done. A claim that is in neither set is gone.
 *
 * @param prolonged the ids of the claims whose lease runs anew
 * @param locked the ids of those that are in force as before, because a transaction of somebody else has their rows locked
 */
record RenewalOutcome(Set<String> prolonged, Set<String> locked) {

    /**
     * From what a database may tell in any order.
     *
     * @param prolonged the claims that were prolonged
     * @param inForce the claims that are in force, those that were prolonged among them or not
     */
    static RenewalOutcome among(Collection<String> prolonged, Collection<String> inForce) {
        Set<String> locked = new HashSet<>(inForce);
        locked.removeAll(prolonged);
        return new RenewalOutcome(Set.copyOf(prolonged), locked);
    }

    /** With what has become of those that were locked and were asked for again. */
    RenewalOutcome followedBy(RenewalOutcome later) {
        Set<String> all = new HashSet<>(prolonged);
        all.addAll(later.prolonged);
        return new RenewalOutcome(all, later.locked);
    }
}
