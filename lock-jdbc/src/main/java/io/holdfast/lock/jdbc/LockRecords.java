package io.holdfast.lock.jdbc;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.jdbc.table.AcquireResult;
import io.holdfast.lock.jdbc.table.LockKey;
import io.holdfast.lock.jdbc.table.LockTable;
import io.holdfast.lock.jdbc.table.Sweeper;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.Release;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The records of the table, by JDBC: runs the dialect's statements. Thread-safe. */
final class LockRecords implements Sweeper.Sweep, AutoCloseable {

    private final Connections connections;
    private final TableCreation creation;
    private final SqlDialect dialect;
    private final Sql acquire;
    private final Sql release;
    private final RenewalRounds renewals;
    private final Sql holder;
    private final Sql sweep;
    private final Optional<Sql> removal;
    private final Outcomes outcomes;

    LockRecords(Connections connections, SqlDialect dialect, LockTable table, TableCreation creation) {
        this.connections = connections;
        this.creation = creation;
        this.dialect = dialect;
        this.acquire = Sql.of(dialect.acquire(), table);
        this.release = Sql.of(dialect.release(), table);
        this.renewals = new RenewalRounds(connections, dialect, table);
        this.holder = Sql.of(dialect.holder(), table);
        this.sweep = Sql.of(dialect.sweep(), table);
        this.removal = dialect.removal().map(statement -> Sql.of(statement, table));
        this.outcomes = dialect.outcomes();
    }

    /**
     * Asks for the lock once.
     *
     * @param sending called before the request is sent; not called if there is no connection
     */
    AcquireResult acquire(ClaimRequest request, LockKey key, Runnable sending) {
        String what = "acquire of lock '" + request.name() + "'";
        begin(what);
        Map<String, Object> values = new HashMap<>();
        values.put("name_hash", key.hash());
        values.put("name", LockKey.legible(request.name()));
        values.put("claim_id", request.claimId());
        values.put("owner_id", LockKey.legible(request.ownerId()));
        values.put("host", LockKey.legible(request.claimant().host()));
        values.put("pid", request.claimant().pid());
        values.put("thread", LockKey.legible(request.claimant().thread()));
        values.put("lease", request.leaseTime().toMillis());
        values.put("advisory_id", key.advisoryId());
        values.put("counter", key.counter());
        values.put("version", LockKey.newVersion());
        try {
            return connections.run(acquire, values, outcomes::prepare, statement -> {
                sending.run();
                return outcomes.acquired(statement);
            });
        } catch (SQLException failure) {
            if (dialect.contended(failure)) {
                return AcquireResult.CONTENDED;
            }
            throw failed(what, failure);
        }
    }

    /** Keeps a connection for renewals and the release of a claim that may be in the table from now on. */
    void keepConnectionFor(JdbcClaim claim) {
        connections.kept().keepFor(claim);
    }

    /** Notes that the claim is not in the table, or not any more. */
    void forget(JdbcClaim claim) {
        connections.kept().forget(claim);
    }

    private void begin(String what) {
        connections.requireOpen(what);
        creation.ensure(connections);
    }

    private LockStoreException failed(String what, SQLException failure) {
        creation.after(failure);
        return connections.failures().of(what, failure);
    }

    Release release(ClaimRequest request, LockKey key) {
        String what = "release of lock '" + request.name() + "'";
        begin(what);
        Map<String, Object> values = Map.of("name_hash", key.hash(), "claim_id", request.claimId());
        try {
            boolean wasInForce = connections.runOnKept(release, values, outcomes::prepare, outcomes::released);
            return wasInForce ? Release.RELEASED : Release.NOT_HELD;
        } catch (SQLException failure) {
            throw failed(what, failure);
        }
    }

    /** Renews claims, except those whose rows another transaction has locked. */
    RenewalOutcome renew(List<JdbcClaim> claims) {
        String what = "renewal of "
                + (claims.size() == 1 ? "lock '" + claims.get(0).request().name() + "'" : claims.size() + " locks");
        connections.requireOpen(what);
        try {
            return renewals.of(claims);
        } catch (SQLException failure) {
            throw failed(what, failure);
        }
    }

    /** The failure for a claim that is in force but was not renewed. */
    LockStoreException failureOfLocked(ClaimRequest request) {
        return connections
                .failures()
                .because("renewal of lock '" + request.name() + "'", "another transaction has locked its row");
    }

    Optional<LockHolder> holder(String name) {
        String what = "holder of lock '" + name + "'";
        begin(what);
        try {
            return connections.query(
                    holder, Map.of("name_hash", LockKey.of(name).hash()), LockRecords::holder);
        } catch (SQLException failure) {
            throw failed(what, failure);
        } catch (IllegalArgumentException tampered) {
            throw new LockStoreException("The record of lock '" + name + "' was changed by another program", tampered);
        }
    }

    private static Optional<LockHolder> holder(ResultSet rows) throws SQLException {
        if (!rows.next()) {
            return Optional.empty();
        }
        return Optional.of(LockHolder.of(rows.getString(1))
                .withHost(rows.getString(2))
                .withPid(rows.getLong(3))
                .withThread(rows.getString(4))
                .withSince(Instant.EPOCH.plus(rows.getLong(5), ChronoUnit.MICROS))
                .withFencingToken(new FencingToken(rows.getLong(6))));
    }

    /** Removes records that ended long ago and that nobody has asked for since. */
    @Override
    public int sweep() {
        try {
            Set<String> found = connections.queryWithin(Sweeper.LIMIT, sweep, Map.of(), ReturnedRows::texts);
            if (removal.isPresent() && !found.isEmpty()) {
                Map<String, Object> values = Map.of("name_hashes", found.toArray(String[]::new));
                connections.updateWithin(Sweeper.LIMIT, removal.get(), values);
            }
            return found.size();
        } catch (SQLException failure) {
            throw failed("removal of old records", failure);
        }
    }

    @Override
    public void close() {
        connections.close();
    }
}
