package io.holdfast.lock.jdbc.table;

import io.holdfast.lock.spi.StoreTime;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The outcome of a renewal of several claims. A claim in neither set is lost.
 *
 * @param prolonged the ids of the claims with a new lease
 * @param locked the ids of those that are in force with their old lease, because another transaction has locked their rows
 * @param time from which the first of the new leases counts; empty if there is none, or if it is not known
 */
public record RenewalOutcome(Set<String> prolonged, Set<String> locked, Optional<StoreTime> time) {

    /**
     * Adds the outcome of a second renewal of the locked claims.
     *
     * @param later the second outcome
     * @return both
     */
    public RenewalOutcome followedBy(RenewalOutcome later) {
        Set<String> all = new HashSet<>(prolonged);
        all.addAll(later.prolonged);
        return new RenewalOutcome(all, later.locked, time.or(later::time));
    }
}
