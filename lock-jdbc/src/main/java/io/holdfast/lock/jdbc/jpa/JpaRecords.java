package io.holdfast.lock.jdbc.jpa;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.jdbc.jpa.JpaLockProvider.Strategy;
import io.holdfast.lock.jdbc.table.ClaimValues;
import io.holdfast.lock.jdbc.table.DatabaseFailures;
import io.holdfast.lock.jdbc.table.LockKey;
import io.holdfast.lock.jdbc.table.LockRecords;
import io.holdfast.lock.jdbc.table.LockTable;
import io.holdfast.lock.jdbc.table.Outcomes;
import io.holdfast.lock.jdbc.table.ReleaseOutcome;
import io.holdfast.lock.jdbc.table.RenewalOutcome;
import io.holdfast.lock.jdbc.table.ReturnedRows;
import io.holdfast.lock.jdbc.table.Sql;
import io.holdfast.lock.jdbc.table.SqlDialect;
import io.holdfast.lock.jdbc.table.Sweeper;
import io.holdfast.lock.jdbc.table.TokenFloor;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.StoreTime;
import jakarta.persistence.EntityManager;
import jakarta.persistence.OptimisticLockException;
import jakarta.persistence.Query;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The records of the table, by JPA. Thread-safe. */
final class JpaRecords implements LockRecords {

    private final Transactions transactions;
    private final JpaDialect dialect;
    private final LockTable table;
    private final UnlockedRows rows;
    private final EntityTable entityTable;
    private final Strategy strategy;
    private final Duration timeout;
    private final Outcomes outcomes;
    private final Sql release;
    private final Sql renew;
    private final Sql holder;
    private final Sql sweep;
    private final TokenFloor tokens;

    JpaRecords(Transactions transactions, JpaDialect dialect, UnlockedRows rows, JpaOptions options) {
        this.transactions = transactions;
        this.dialect = dialect;
        this.table = options.table();
        this.rows = rows;
        this.entityTable = new EntityTable(table);
        this.strategy = options.strategy();
        this.timeout = options.timeout();
        SqlDialect sql = dialect.sql();
        this.outcomes = sql.outcomes();
        this.release = Sql.of(sql.release(), table);
        this.renew = Sql.of(sql.renew(), table);
        this.holder = Sql.of(sql.holder(), table);
        this.sweep = Sql.of(sql.sweep(), table);
        this.tokens = TokenFloor.of(sql, table);
    }

    @Override
    public Attempt acquire(ClaimRequest request, int tokens, boolean contended, Runnable sending) {
        LockKey key = LockKey.of(request.name());
        return transactions.run(
                acquireOf(request),
                manager -> {
                    Attempt answer =
                            inForce(manager, request, key).orElseGet(() -> grant(manager, request, key, tokens));
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

    private static Attempt granted(ClaimRequest request, long token, Instant now) {
        return new Attempt.Granted(new FencingToken(token), request.validFor()).at(new StoreTime(CLOCK, now));
    }

    private static boolean isPositive(Duration duration) {
        return duration.compareTo(Duration.ZERO) > 0;
    }

    /** Draws the tokens, which serializes the attempts for the name, and only then reads what it decides by. */
    private Attempt grant(EntityManager manager, ClaimRequest request, LockKey key, int tokens) {
        long drawn = dialect.draw(manager, key, tokens, table, timeout);
        Optional<LockRecord> found = unlessLocked(manager, key);
        Instant now = dialect.now(manager);
        if (found.isEmpty()) {
            return insert(manager, request, drawn, now) == 1 ? granted(request, drawn, now) : CONTENDED;
        }
        LockRecord lock = found.get();
        if (!lock.inForceAt(now)) {
            lock.grant(request, drawn, now);
        } else if (lock.isOf(request)) {
            lock.prolong(request.leaseTime(), now);
        } else {
            return contended(lock.remainingAt(now));
        }
        return granted(request, lock.token(), now);
    }

    private static String acquireOf(ClaimRequest request) {
        return "acquire of lock '" + request.name() + "'";
    }

    /** Inserts the row. One that exists after all, because it was locked, ends this without an error. */
    private static int insert(EntityManager manager, ClaimRequest request, long token, Instant now) {
        Map<String, Object> values = ClaimValues.of(request);
        values.put("token", token);
        values.put("now", now);
        values.put("end", now.plus(request.leaseTime()));
        Query insertion = manager.createQuery("""
                INSERT INTO HoldfastLockRecord
                    (nameHash, name, claimId, token, version, ownerId, host, pid, thread, acquiredAt, expiresAt)
                VALUES (:name_hash, :name, :claim_id, :token, :version, :owner_id, :host, :pid, :thread, :now, :end)
                ON CONFLICT DO NOTHING
                """);
        insertion.getParameters().forEach(each -> insertion.setParameter(each.getName(), values.get(each.getName())));
        return insertion.executeUpdate();
    }

    /** Reads the row; in the pessimistic strategy locks it, unless another transaction has locked it. */
    private Optional<LockRecord> unlessLocked(EntityManager manager, LockKey key) {
        return strategy == Strategy.PESSIMISTIC
                ? rows.locked(manager, key)
                : manager
                        .createQuery("SELECT r FROM HoldfastLockRecord r WHERE r.nameHash = :hash", LockRecord.class)
                        .setParameter("hash", key.hash())
                        .getResultList()
                        .stream()
                        .findFirst();
    }

    /** Runs a statement of the JDBC provider: only attempts differ by the strategy, and renewals must wait for no row. */
    private <T> T run(String what, Sql.Bound statement, Sql.Execution<T> execution) {
        return run(what, timeout, statement, execution);
    }

    private <T> T run(String what, Duration blocking, Sql.Bound statement, Sql.Execution<T> execution) {
        return transactions.run(what, manager -> {
            dialect.bound(manager, table, blocking);
            // Always the same limit: H2 keeps that of a statement for the connection, which is the application's.
            return OwnTransaction.withConnection(manager, connection -> statement.on(connection, timeout, execution));
        });
    }

    @Override
    public RenewalOutcome renew(List<ClaimRequest> requests) {
        Set<String> ids = requests.stream().map(ClaimRequest::claimId).collect(Collectors.toSet());
        return run(
                LockRecords.renewalOf(requests),
                renew.with(ClaimValues.of(requests)),
                statement -> outcomes.renewed(statement, ids).orElseThrow());
    }

    @Override
    public ReleaseOutcome release(ClaimRequest request) {
        String what = "release of lock '" + request.name() + "'";
        return run(what, release.with(ClaimValues.of(request)), outcomes::released);
    }

    @Override
    public Optional<LockHolder> holder(String name) {
        return run(
                "holder of lock '" + name + "'",
                holder.with(Map.of("name_hash", LockKey.of(name).hash())),
                Sql.reading(ReturnedRows::holder));
    }

    @Override
    public long highestToken() {
        return run(
                tokens.named("reading of the highest token"),
                tokens.highest().with(Map.of()),
                Sql.reading(TokenFloor::highest));
    }

    @Override
    public void raiseTokens(long above) {
        boolean unused = run(tokens.named("raising of the tokens"), tokens.raisedAbove(above), TokenFloor::raised);
    }

    @Override
    public int sweep() {
        return run("removal of old records", Sweeper.LIMIT, sweep.with(Map.of()), Sql.reading(ReturnedRows::hashes))
                .size();
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
