package io.holdfast.lock.jdbc;

import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.jdbc.table.CallersInterrupt;
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
import io.holdfast.lock.spi.ClaimRequest.Intent;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The records of the table, by JDBC: runs the dialect's statements. Thread-safe. */
final class JdbcRecords implements LockRecords {

    private final Connections connections;
    private final TableCreation creation;
    private final SqlDialect dialect;
    private final boolean listens;
    private final Sql acquire;
    private final Sql release;
    private final RenewalRounds renewals;
    private final Sql holder;
    private final Sql sweep;
    private final Optional<Sql> removal;
    private final TokenFloor tokens;
    private final Outcomes outcomes;

    JdbcRecords(Connections connections, JdbcOptions options) {
        LockTable table = options.table();
        this.connections = connections;
        this.dialect = options.dialect();
        this.listens = options.listens();
        this.creation = options.createTable() ? TableCreation.of(dialect, table) : TableCreation.none();
        this.outcomes = dialect.outcomes();
        this.acquire = new Sql(table.filledInto(dialect.acquire()), outcomes.generatedKeys());
        this.release = Sql.of(dialect.release(), table);
        this.renewals = new RenewalRounds(connections, dialect, table);
        this.holder = Sql.of(dialect.holder(), table);
        this.sweep = Sql.of(dialect.sweep(), table);
        this.removal = dialect.removal().map(statement -> Sql.of(statement, table));
        this.tokens = TokenFloor.of(dialect, table);
    }

    /** Runs one operation of the table. */
    private interface Operation<T> {
        T run() throws SQLException;
    }

    private <T> T run(String what, Operation<T> operation) {
        connections.requireOpen(what);
        CallersInterrupt interrupt = new CallersInterrupt();
        try {
            return operation.run();
        } catch (SQLException failure) {
            creation.after(failure);
            throw failures().of(what, failure);
        } finally {
            interrupt.restore();
        }
    }

    @Override
    public Attempt acquire(ClaimRequest request, int tokens, boolean contended, Runnable sending) {
        return run("acquire of lock '" + request.name() + "'", () -> {
            creation.ensure(connections);
            boolean waits = listens && request.intent() == Intent.WAIT;
            try {
                return connections.run(
                        acquire.with(ClaimValues.of(request, tokens, waits, waits && contended)), statement -> {
                            sending.run();
                            return outcomes.acquired(statement, request);
                        });
            } catch (SQLException failure) {
                if (dialect.contended(failure)) {
                    return CONTENDED;
                }
                throw failure;
            }
        });
    }

    @Override
    public void remember(Object claim) {
        connections.kept().keepFor(claim);
    }

    @Override
    public void forget(Object claim) {
        connections.kept().forget(claim);
    }

    @Override
    public ReleaseOutcome release(ClaimRequest request) {
        return run("release of lock '" + request.name() + "'", () -> {
            creation.ensure(connections);
            return connections.runOnKept(release.with(ClaimValues.of(request)), outcomes::released);
        });
    }

    @Override
    public RenewalOutcome renew(List<ClaimRequest> requests) {
        return run(LockRecords.renewalOf(requests), () -> renewals.of(requests));
    }

    @Override
    public DatabaseFailures failures() {
        return connections.failures();
    }

    @Override
    public Optional<LockHolder> holder(String name) {
        Map<String, Object> values = Map.of("name_hash", LockKey.of(name).hash());
        try {
            return run("holder of lock '" + name + "'", () -> {
                creation.ensure(connections);
                return connections.run(holder.with(values), Sql.reading(ReturnedRows::holder));
            });
        } catch (IllegalArgumentException tampered) {
            throw new LockStoreException("The record of lock '" + name + "' was changed by another program", tampered);
        }
    }

    @Override
    public long highestToken() {
        return run(tokens.named("reading of the highest token"), () -> {
            creation.ensure(connections);
            return connections.run(tokens.highest().with(Map.of()), Sql.reading(TokenFloor::highest));
        });
    }

    @Override
    public void raiseTokens(long above) {
        Sql.Bound raising = tokens.raisedAbove(above);
        run(tokens.named("raising of the tokens"), () -> {
            creation.ensure(connections);
            return connections.run(raising, TokenFloor::raised);
        });
    }

    @Override
    public int sweep() {
        return run("removal of old records", () -> {
            Set<String> found =
                    connections.runOnKeptWithin(Sweeper.LIMIT, sweep.with(Map.of()), Sql.reading(ReturnedRows::hashes));
            if (removal.isPresent() && !found.isEmpty()) {
                Map<String, Object> values = Map.of("name_hashes", found.toArray(String[]::new));
                connections.runOnKeptWithin(
                        Sweeper.LIMIT, removal.get().with(values), PreparedStatement::executeUpdate);
            }
            return found.size();
        });
    }

    @Override
    public void close() {
        connections.close();
    }
}
