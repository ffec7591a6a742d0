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
 * A database with statements of which one may be wrong. Another process runs the right ones, so there is a URI only for what is
 * wrong with the table itself.
 *
 * @param backend the backend
 * @param database the database
 * @param table of the locks; one in a schema has the usual name there, by which other processes find it
 * @param gate before the database, if it is a separate process
 */
record SqlTextHarness(ChangedBackend backend, SharedDatabase database, String table, Optional<ServerGate> gate)
        implements LockHarness {

    private static final String FACTORY = "io.holdfast.lock.jdbc.JdbcLockProviderFactory";

    SqlTextHarness(ChangedBackend backend, SharedDatabase database, String table) {
        this(backend, database, table, database.gate());
    }

    @Override
    public LockProvider open() {
        create();
        String url = gate.map(database::url).orElseGet(database::url);
        return backend.open(FACTORY, url, Map.of("table", table));
    }

    @Override
    public Optional<String> uri() {
        int dot = table.indexOf('.');
        if (dot < 0) {
            return Optional.empty();
        }
        create();
        return Optional.of(database.url() + "&currentSchema=" + table.substring(0, dot));
    }

    /** Creates the table when it is needed: the kit also makes harnesses only to look at them. */
    private void create() {
        try {
            database.create(backend, table);
        } catch (SQLException refused) {
            throw new IllegalStateException("The table " + table + " cannot be created", refused);
        }
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
