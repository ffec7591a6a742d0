package io.holdfast.lock.jdbc.jpa;

import io.holdfast.lock.LossCause;
import io.holdfast.lock.jdbc.table.DatabaseFailures;
import io.holdfast.lock.spi.Renewal;
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
 * <p>A renewal waits for no row, in neither strategy: a locked row would make all the others fail with it, each time.
 * Its claim's outcome is unknown then. Comparing versions would not do, as the comparison waits for the row lock.
 */
final class JpaRenewals {

    private static final String OF_CLAIMS = " WHERE r.nameHash IN :hashes AND r.claimId IN :ids";

    private final Transactions transactions;
    private final JpaDialect dialect;
    private final UnlockedRows rows;
    private final Duration timeout;
    private final DatabaseFailures failures;

    JpaRenewals(
            Transactions transactions,
            JpaDialect dialect,
            UnlockedRows rows,
            Duration timeout,
            DatabaseFailures failures) {
        this.transactions = transactions;
        this.dialect = dialect;
        this.rows = rows;
        this.timeout = timeout;
        this.failures = failures;
    }

    /** Renews claims; returns one answer for each, in the same order. */
    List<Renewal> renew(List<JpaClaim> claims) {
        return transactions.run(renewalOf(claims), manager -> {
            dialect.bound(manager, timeout);
            Rows found = found(manager, claims);
            claims.stream()
                    .filter(found::inForce)
                    .collect(Collectors.groupingBy(claim -> claim.request().leaseTime()))
                    .forEach((lease, same) -> prolong(manager, same, found.now().plus(lease)));
            return claims.stream().map(claim -> answer(claim, found)).toList();
        });
    }

    private Rows found(EntityManager manager, List<JpaClaim> claims) {
        List<LockRecord> own = rows.locked(
                manager,
                "name_hash IN (:hashes) AND claim_id IN (:ids)",
                Map.of("hashes", hashes(claims), "ids", ids(claims)));
        // Read after the rows are locked: a lease that ended before stays ended.
        Instant now = dialect.now(manager);
        Map<String, Boolean> locked =
                own.stream().collect(Collectors.toMap(LockRecord::claimId, row -> row.inForceAt(now)));
        List<JpaClaim> missing = claims.stream()
                .filter(claim -> !locked.containsKey(claim.request().claimId()))
                .toList();
        return new Rows(now, locked, there(manager, missing));
    }

    /** The claims whose rows exist but were skipped. Read without a lock. */
    private static Set<String> there(EntityManager manager, List<JpaClaim> claims) {
        return claims.isEmpty()
                ? Set.of()
                : Set.copyOf(ofClaims(
                                manager.createQuery(
                                        "SELECT r.claimId FROM HoldfastLockRecord r" + OF_CLAIMS, String.class),
                                claims)
                        .getResultList());
    }

    private Renewal answer(JpaClaim claim, Rows rows) {
        if (rows.inForce(claim)) {
            return new Renewal.Held(claim.request().validFor());
        }
        return rows.withheld(claim)
                ? new Renewal.Unknown(failures.because(renewalOf(claim), "another transaction has locked its row"))
                : new Renewal.Lost(LossCause.TAKEN_OVER);
    }

    private static String renewalOf(List<JpaClaim> claims) {
        return claims.size() == 1 ? renewalOf(claims.get(0)) : "renewal of " + claims.size() + " locks";
    }

    private static String renewalOf(JpaClaim claim) {
        return "renewal of lock '" + claim.request().name() + "'";
    }

    /**
     * Prolongs rows that this transaction has locked. If the lock was not kept, a row may be a later holder's by now,
     * which must not be prolonged.
     */
    private void prolong(EntityManager manager, List<JpaClaim> claims, Instant end) {
        int prolonged = ofClaims(
                        manager.createQuery(
                                "UPDATE HoldfastLockRecord r SET r.expiresAt = :end, r.version = r.version + 1"
                                        + OF_CLAIMS),
                        claims)
                .setParameter("end", end)
                .executeUpdate();
        if (prolonged != claims.stream().distinct().count()) {
            throw failures.because(renewalOf(claims), "a row was changed while it was locked");
        }
    }

    /**
     * Restricts a query to the claims' own rows: the row of a lost claim is another holder's, whose renewals must not
     * be held up.
     */
    private static <Q extends Query> Q ofClaims(Q query, List<JpaClaim> claims) {
        query.setParameter("hashes", hashes(claims)).setParameter("ids", ids(claims));
        return query;
    }

    private static List<String> hashes(List<JpaClaim> claims) {
        return claims.stream().map(claim -> claim.key().hash()).toList();
    }

    private static List<String> ids(List<JpaClaim> claims) {
        return claims.stream().map(claim -> claim.request().claimId()).toList();
    }

    /**
     * What a transaction has found of the claims' rows, by claim id.
     *
     * @param now the database's clock
     * @param locked the rows locked by this transaction, and whether they are in force
     * @param others the rows that another transaction has locked
     */
    private record Rows(Instant now, Map<String, Boolean> locked, Set<String> others) {

        boolean inForce(JpaClaim claim) {
            return locked.getOrDefault(claim.request().claimId(), false);
        }

        boolean withheld(JpaClaim claim) {
            return others.contains(claim.request().claimId());
        }
    }
}
