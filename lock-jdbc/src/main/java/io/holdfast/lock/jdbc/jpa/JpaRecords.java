package io.holdfast.lock.jdbc.jpa;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.jdbc.jpa.JpaLockProvider.Strategy;
import io.holdfast.lock.jdbc.table.DatabaseFailures;
import io.holdfast.lock.jdbc.table.LockKey;
import io.holdfast.lock.jdbc.table.LockRecords;
import io.holdfast.lock.jdbc.table.LockTable;
import io.holdfast.lock.jdbc.table.RenewalOutcome;
import io.holdfast.lock.jdbc.table.Sweeper;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.Release;
import jakarta.persistence.EntityManager;
import jakarta.persistence.OptimisticLockException;
import jakarta.persistence.TypedQuery;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The records of the table, by JPA. Thread-safe. */
final class JpaRecords implements LockRecords {

    private static final String ENDED_BEFORE = "expires_at < :limit FETCH FIRST 1000 ROWS ONLY";
    private static final String NO_TOKENS = "the row that tokens come from is missing: run the shipped script again";
    private static final Duration LONG_AGO = Duration.ofMinutes(1);

    private final Transactions transactions;
    private final JpaDialect dialect;
    private final LockTable table;
    private final UnlockedRows rows;
    private final EntityTable entityTable;
    private final Strategy strategy;
    private final Duration timeout;
    private final JpaRenewals renewals;

    JpaRecords(Transactions transactions, JpaDialect dialect, UnlockedRows rows, JpaOptions options) {
        this.transactions = transactions;
        this.dialect = dialect;
        this.table = options.table();
        this.rows = rows;
        this.entityTable = new EntityTable(table);
        this.strategy = options.strategy();
        this.timeout = options.timeout();
        this.renewals = new JpaRenewals(transactions, dialect, rows, timeout);
    }

    @Override
    public Attempt acquire(ClaimRequest request, Runnable sending) {
        LockKey key = LockKey.of(request.name());
        return transactions.run(
                acquireOf(request),
                manager -> {
                    Attempt answer = inForce(manager, request, key).orElseGet(() -> grant(manager, request, key));
                    if (answer instanceof Attempt.Contended) {
                        manager.getTransaction().setRollbackOnly();
                    } else {
                        requireItsTable(manager, request, key);
                        sending.run();
                    }
                    return answer;
                },
                // Another client wrote the row between our read and our write.
                failure -> isLostRace(failure) ? Optional.of(CONTENDED) : Optional.empty());
    }

    /**
     * Whether the version had changed. That failure comes from a count and has no exception of the driver; other
     * optimistic failures have one, for a deadlock or for a table that is locked.
     */
    private static boolean isLostRace(RuntimeException failure) {
        return failure instanceof OptimisticLockException
                && DatabaseFailures.sqlException(failure).isEmpty();
    }

    private void requireItsTable(EntityManager manager, ClaimRequest request, LockKey key) {
        if (!entityTable.has(manager, key, request.claimId())) {
            throw failures().because(acquireOf(request), entityTable.mismatch());
        }
    }

    /**
     * Answers from a plain read if another claim is in force: the holder's renewals must not wait for attempts of
     * others.
     */
    private static Optional<Attempt> inForce(EntityManager manager, ClaimRequest request, LockKey key) {
        // The clock may be as of the transaction's beginning: a lease that is over by it is over.
        return manager
                .createQuery(
                        "SELECT r.claimId, r.expiresAt, instant FROM HoldfastLockRecord r WHERE r.nameHash = :hash",
                        Object[].class)
                .setParameter("hash", key.hash())
                .getResultList()
                .stream()
                .filter(row -> !row[0].equals(request.claimId()))
                .map(row -> Duration.between((Instant) row[2], (Instant) row[1]))
                .filter(JpaRecords::isPositive)
                .map(JpaRecords::contended)
                .findFirst();
    }

    private static Attempt contended(Duration remaining) {
        return new Attempt.Contended(Optional.of(remaining));
    }

    private static Attempt granted(ClaimRequest request, long token) {
        return new Attempt.Granted(new FencingToken(token), request.validFor());
    }

    private static boolean isPositive(Duration duration) {
        return duration.compareTo(Duration.ZERO) > 0;
    }

    /** Draws the token, which serializes the attempts for the name, and only then reads what it decides by. */
    private Attempt grant(EntityManager manager, ClaimRequest request, LockKey key) {
        long drawn = draw(manager, request, key);
        Optional<LockRecord> found = unlessLocked(manager, key).stream().findFirst();
        Instant now = dialect.now(manager);
        if (found.isEmpty()) {
            return insert(manager, request, key, new Grant(drawn, now)) == 1 ? granted(request, drawn) : CONTENDED;
        }
        LockRecord lock = found.get();
        boolean inForce = lock.inForceAt(now);
        if (inForce && !lock.isOf(request)) {
            return contended(lock.remainingAt(now));
        }
        long token = inForce ? lock.token() : drawn;
        lock.grant(request, token, now);
        return granted(request, token);
    }

    /**
     * Draws a token. Waiting too long for that is a failure and not contention: the one before may be an attempt for
     * another lock.
     */
    private long draw(EntityManager manager, ClaimRequest request, LockKey key) {
        return dialect.draw(manager, key, table, timeout)
                .orElseThrow(() -> failures().because(acquireOf(request), NO_TOKENS));
    }

    private static String acquireOf(ClaimRequest request) {
        return "acquire of lock '" + request.name() + "'";
    }

    private record Grant(long token, Instant now) {}

    /** Inserts the row. One that exists after all, because it was locked, ends this without an error. */
    private static int insert(EntityManager manager, ClaimRequest request, LockKey key, Grant grant) {
        return manager.createQuery("""
                        INSERT INTO HoldfastLockRecord
                            (nameHash, name, claimId, token, version, ownerId, host, pid, thread, acquiredAt, expiresAt)
                        VALUES (:hash, :name, :claim, :token, :version, :owner, :host, :pid, :thread, :now, :end)
                        ON CONFLICT DO NOTHING
                        """)
                .setParameter("hash", key.hash())
                .setParameter("name", LockKey.legible(request.name()))
                .setParameter("claim", request.claimId())
                .setParameter("token", grant.token())
                .setParameter("version", LockKey.newVersion())
                .setParameter("owner", LockKey.legible(request.ownerId()))
                .setParameter("host", LockKey.legible(request.claimant().host()))
                .setParameter("pid", request.claimant().pid())
                .setParameter("thread", LockKey.legible(request.claimant().thread()))
                .setParameter("now", grant.now())
                .setParameter("end", grant.now().plus(request.leaseTime()))
                .executeUpdate();
    }

    private static TypedQuery<LockRecord> byHash(EntityManager manager, LockKey key) {
        return manager.createQuery("SELECT r FROM HoldfastLockRecord r WHERE r.nameHash = :hash", LockRecord.class)
                .setParameter("hash", key.hash());
    }

    /** Reads the row; in the pessimistic strategy locks it, unless another transaction has locked it. */
    private List<LockRecord> unlessLocked(EntityManager manager, LockKey key) {
        return strategy == Strategy.PESSIMISTIC
                ? rows.locked(manager, "name_hash = :hash", Map.of("hash", key.hash()))
                : byHash(manager, key).getResultList();
    }

    @Override
    public RenewalOutcome renew(List<ClaimRequest> requests) {
        return renewals.renew(requests);
    }

    @Override
    public Release release(ClaimRequest request) {
        LockKey key = LockKey.of(request.name());
        return transactions.run("release of lock '" + request.name() + "'", manager -> {
            Optional<Object[]> own = manager
                    .createQuery(
                            "SELECT r.expiresAt, instant FROM HoldfastLockRecord r"
                                    + " WHERE r.nameHash = :hash AND r.claimId = :claim",
                            Object[].class)
                    .setParameter("hash", key.hash())
                    .setParameter("claim", request.claimId())
                    .getResultList()
                    .stream()
                    .findFirst();
            if (own.isPresent()) {
                dialect.bound(manager, timeout);
            }
            if (own.isEmpty() || delete(manager, request, key) == 0) {
                manager.getTransaction().setRollbackOnly();
                return Release.NOT_HELD;
            }
            dialect.announce(manager, key, table);
            boolean inForce = ((Instant) own.get()[0]).isAfter((Instant) own.get()[1]);
            return inForce ? Release.RELEASED : Release.NOT_HELD;
        });
    }

    private static int delete(EntityManager manager, ClaimRequest request, LockKey key) {
        return manager.createQuery("DELETE FROM HoldfastLockRecord r WHERE r.nameHash = :hash AND r.claimId = :claim")
                .setParameter("hash", key.hash())
                .setParameter("claim", request.claimId())
                .executeUpdate();
    }

    @Override
    public Optional<LockHolder> holder(String name) {
        return transactions.run(
                "holder of lock '" + name + "'",
                manager -> byHash(manager, LockKey.of(name)).getResultList().stream()
                        .filter(lock -> lock.inForceAt(dialect.now(manager)))
                        .map(LockRecord::holder)
                        .findFirst());
    }

    /** Skips locked rows. */
    @Override
    public int sweep() {
        return transactions.run("removal of old records", manager -> {
            // If this client stops here, it must not keep a thousand rows locked.
            dialect.bound(manager, Sweeper.LIMIT);
            Instant limit = dialect.now(manager).minus(LONG_AGO);
            List<String> old = rows.locked(manager, ENDED_BEFORE, Map.of("limit", limit)).stream()
                    .map(LockRecord::nameHash)
                    .toList();
            if (old.isEmpty()) {
                manager.getTransaction().setRollbackOnly();
                return 0;
            }
            return manager.createQuery(
                            "DELETE FROM HoldfastLockRecord r WHERE r.nameHash IN :hashes AND r.expiresAt < :limit")
                    .setParameter("hashes", old)
                    .setParameter("limit", limit)
                    .executeUpdate();
        });
    }

    @Override
    public DatabaseFailures failures() {
        return transactions.failures();
    }

    @Override
    public void close() {
        transactions.close();
    }
}
