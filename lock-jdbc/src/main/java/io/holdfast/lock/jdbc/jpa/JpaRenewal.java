package io.holdfast.lock.jdbc.jpa;

import jakarta.persistence.EntityManager;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The renewal of claims that have leases of the same length, by one statement.
 *
 * @param hashes the keys of their locks
 * @param ids the claims' own
 * @param now the database's clock
 * @param end of the new leases
 */
record JpaRenewal(Set<String> hashes, Set<String> ids, Instant now, Instant end) {

    private static final String STILL_THERE =
            " WHERE r.nameHash IN :hashes AND r.claimId IN :ids AND r.expiresAt > :now";

    static JpaRenewal of(List<JpaClaim> claims, Duration lease, Instant now) {
        return new JpaRenewal(
                claims.stream().map(claim -> claim.key().hash()).collect(Collectors.toSet()),
                claims.stream().map(claim -> claim.request().claimId()).collect(Collectors.toSet()),
                now,
                now.plus(lease));
    }

    /** Prolongs the rows that are still these claims'; returns the claims for which that was so. */
    Set<String> in(EntityManager manager) {
        int prolonged = manager.createQuery(
                        "UPDATE HoldfastLockRecord r SET r.expiresAt = :end, r.version = r.version + 1" + STILL_THERE)
                .setParameter("end", end)
                .setParameter("hashes", hashes)
                .setParameter("ids", ids)
                .setParameter("now", now)
                .executeUpdate();
        if (prolonged == ids.size()) {
            return ids;
        }
        // Without a lock on it, a row may have gone since it was read.
        return Set.copyOf(manager.createQuery("SELECT r.claimId FROM HoldfastLockRecord r" + STILL_THERE, String.class)
                .setParameter("hashes", hashes)
                .setParameter("ids", ids)
                .setParameter("now", now)
                .getResultList());
    }
}
