package io.holdfast.lock.jdbc;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.jdbc.table.DatabaseFailures;
import io.holdfast.lock.jdbc.table.LockKey;
import io.holdfast.lock.jdbc.table.LockRecords;
import io.holdfast.lock.jdbc.table.LockTable;
import io.holdfast.lock.jdbc.table.RenewalOutcome;
import io.holdfast.lock.jdbc.table.Sweeper;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.Release;
import java.sql.Connection;
import java.sql.PreparedStatement;
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
final class JdbcRecords implements LockRecords {

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

    JdbcRecords(Connections connections, SqlDialect dialect, LockTable table, TableCreation creation) {
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

    @Override
    public Attempt acquire(ClaimRequest request, Runnable sending) {
        String what = "acquire of lock '" + request.name() + "'";
        begin(what);
        LockKey key = LockKey.of(request.name());
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
            return connections.run(acquire.with(values), outcomes::prepare, statement -> {
                sending.run();
                return outcomes.acquired(statement, request);
            });
        } catch (SQLException failure) {
            if (dialect.contended(failure)) {
                return CONTENDED;
            }
            throw failed(what, failure);
        }
    }

    @Override
    public void remember(Object claim) {
        connections.kept().keepFor(claim);
    }

    @Override
    public void forget(Object claim) {
        connections.kept().forget(claim);
    }

    private void begin(String what) {
        connections.requireOpen(what);
        creation.ensure(connections);
    }

    private LockStoreException failed(String what, SQLException failure) {
        creation.after(failure);
        return failures().of(what, failure);
    }

    @Override
    public Release release(ClaimRequest request) {
        String what = "release of lock '" + request.name() + "'";
        begin(what);
        Map<String, Object> values =
                Map.of("name_hash", LockKey.of(request.name()).hash(), "claim_id", request.claimId());
        try {
            boolean wasInForce = connections.runOnKept(release.with(values), outcomes::prepare, outcomes::released);
            return wasInForce ? Release.RELEASED : Release.NOT_HELD;
        } catch (SQLException failure) {
            throw failed(what, failure);
        }
    }

    @Override
    public RenewalOutcome renew(List<ClaimRequest> requests) {
        String what = LockRecords.renewalOf(requests);
        connections.requireOpen(what);
        try {
            return renewals.of(requests);
        } catch (SQLException failure) {
            throw failed(what, failure);
        }
    }

    @Override
    public DatabaseFailures failures() {
        return connections.failures();
    }

    @Override
    public Optional<LockHolder> holder(String name) {
        String what = "holder of lock '" + name + "'";
        begin(what);
        try {
            return connections.run(
                    holder.with(Map.of("name_hash", LockKey.of(name).hash())),
                    Connection::prepareStatement,
                    Connections.reading(JdbcRecords::holder));
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

    @Override
    public int sweep() {
        try {
            Set<String> found = connections.runWithin(
                    Sweeper.LIMIT, sweep.with(Map.of()), Connections.reading(ReturnedRows::texts));
            if (removal.isPresent() && !found.isEmpty()) {
                Map<String, Object> values = Map.of("name_hashes", found.toArray(String[]::new));
                connections.runWithin(Sweeper.LIMIT, removal.get().with(values), PreparedStatement::executeUpdate);
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
