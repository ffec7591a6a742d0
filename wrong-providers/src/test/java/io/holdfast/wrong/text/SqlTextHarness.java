package io.holdfast.wrong.text;

import io.holdfast.lock.jdbc.table.LockKey;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.lock.tck.faults.Faults;
import io.holdfast.lock.tck.faults.ServerGate;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A database with statements of which one may be wrong. It has no URI: another process would run the right ones.
 *
 * @param backend the backend
 * @param database the database
 * @param table of the locks
 * @param gate before the database, if it is a separate process
 */
record SqlTextHarness(ChangedBackend backend, SharedDatabase database, String table, Optional<ServerGate> gate)
        implements LockHarness {

    private static final String FACTORY = "io.holdfast.lock.jdbc.JdbcLockProviderFactory";

    SqlTextHarness(ChangedBackend backend, SharedDatabase database, String table) {
        this(backend, database, table, database.gate());
    }

    /** Creates the table for the first provider: the kit also makes harnesses only to look at them. */
    @Override
    public LockProvider open() {
        try {
            database.create(backend, table);
        } catch (SQLException refused) {
            throw new IllegalStateException("The table " + table + " cannot be created", refused);
        }
        String url = gate.map(database::url).orElseGet(database::url);
        return backend.open(FACTORY, url, Map.of("table", table));
    }

    @Override
    public Optional<Consumer<String>> remover() {
        return Optional.of(this::remove);
    }

    private void remove(String name) {
        try (Connection connection = database.connect();
                PreparedStatement delete =
                        connection.prepareStatement("DELETE FROM " + table + " WHERE name_hash = ?")) {
            delete.setString(1, LockKey.of(name).hash());
            delete.executeUpdate();
        } catch (SQLException failure) {
            throw new AssertionError(failure);
        }
    }

    @Override
    public Faults faults() {
        return gate.map(way -> Faults.ofOutage(way::outage)).orElse(Faults.none());
    }

    @Override
    public void close() {
        gate.ifPresent(ServerGate::close);
    }
}
