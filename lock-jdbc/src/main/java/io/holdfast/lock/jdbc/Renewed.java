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
record Renewed(Set<String> prolonged, Set<String> locked) {

    static final Renewed NONE = new Renewed(Set.of(), Set.of());

    /**
     * From what a database may tell in any order.
     *
     * @param prolonged the claims that were prolonged
     * @param inForce the claims that are in force, those that were prolonged among them or not
     */
    static Renewed among(Collection<String> prolonged, Collection<String> inForce) {
        Set<String> locked = new HashSet<>(inForce);
        locked.removeAll(prolonged);
        return new Renewed(Set.copyOf(prolonged), locked);
    }

    Renewed and(Renewed others) {
        return new Renewed(union(prolonged, others.prolonged), union(locked, others.locked));
    }

    private static Set<String> union(Set<String> some, Set<String> more) {
        Set<String> all = new HashSet<>(some);
        all.addAll(more);
        return all;
    }
}
