package io.holdfast.lock.jdbc.jpa;

import io.holdfast.lock.jdbc.table.LockKey;
import io.holdfast.lock.jdbc.table.LockRecords;
import io.holdfast.lock.jdbc.table.RenewalOutcome;
import io.holdfast.lock.spi.ClaimRequest;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Query;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Renews claims, many in one transaction. Thread-safe.
 *
 * <p>A renewal waits for no row, in neither strategy: a locked row would make all the others fail with it, each time. Its
 * claim's outcome is unknown then. Comparing versions would not do, as the comparison waits for the row lock.
 */
final class JpaRenewals {

    private static final String OF_CLAIMS = " WHERE r.nameHash IN :hashes AND r.claimId IN :ids";

    private final Transactions transactions;
    private final JpaDialect dialect;
    private final UnlockedRows rows;
    private final Duration timeout;

    JpaRenewals(Transactions transactions, JpaDialect dialect, UnlockedRows rows, Duration timeout) {
        this.transactions = transactions;
        this.dialect = dialect;
        this.rows = rows;
        this.timeout = timeout;
    }

    RenewalOutcome renew(List<ClaimRequest> requests) {
        return transactions.run(LockRecords.renewalOf(requests), manager -> {
            dialect.bound(manager, timeout);
            List<LockRecord> locked = rows.locked(
                    manager,
                    "name_hash IN (:hashes) AND claim_id IN (:ids)",
                    Map.of("hashes", hashes(requests), "ids", ids(requests)));
            // Read after the rows are locked: a lease that ended before stays ended.
            Instant now = dialect.now(manager);
            Set<String> inForce = locked.stream()
                    .filter(row -> row.inForceAt(now))
                    .map(LockRecord::claimId)
                    .collect(Collectors.toSet());
            requests.stream()
                    .filter(request -> inForce.contains(request.claimId()))
                    .collect(Collectors.groupingBy(ClaimRequest::leaseTime))
                    .forEach((lease, same) -> prolong(manager, same, now.plus(lease)));
            Set<String> found = locked.stream().map(LockRecord::claimId).collect(Collectors.toSet());
            List<ClaimRequest> missing = requests.stream()
                    .filter(request -> !found.contains(request.claimId()))
                    .toList();
            return new RenewalOutcome(inForce, existing(manager, missing));
        });
    }

    /** The claims whose rows exist but were skipped. Read without a lock. */
    private static Set<String> existing(EntityManager manager, List<ClaimRequest> requests) {
        return requests.isEmpty()
                ? Set.of()
                : Set.copyOf(ofClaims(
                                manager.createQuery(
                                        "SELECT r.claimId FROM HoldfastLockRecord r" + OF_CLAIMS, String.class),
                                requests)
                        .getResultList());
    }

    /**
     * Prolongs rows that this transaction has locked. If the lock was not kept, a row may be a later holder's by now, which must
     * not be prolonged.
     */
    private void prolong(EntityManager manager, List<ClaimRequest> requests, Instant end) {
        int prolonged = ofClaims(
                        manager.createQuery(
                                "UPDATE HoldfastLockRecord r SET r.expiresAt = :end, r.version = r.version + 1"
                                        + OF_CLAIMS),
                        requests)
                .setParameter("end", end)
                .executeUpdate();
        if (prolonged != requests.stream().distinct().count()) {
            throw transactions
                    .failures()
                    .because(LockRecords.renewalOf(requests), "a row was changed while it was locked");
        }
    }

    /**
     * Restricts a query to the claims' own rows: the row of a lost claim is another holder's, whose renewals must not be held
     * up.
     */
    private static <Q extends Query> Q ofClaims(Q query, List<ClaimRequest> requests) {
        query.setParameter("hashes", hashes(requests)).setParameter("ids", ids(requests));
        return query;
    }

    private static List<String> hashes(List<ClaimRequest> requests) {
        return requests.stream()
                .map(request -> LockKey.of(request.name()).hash())
                .toList();
    }

    private static List<String> ids(List<ClaimRequest> requests) {
        return requests.stream().map(ClaimRequest::claimId).toList();
    }
}
