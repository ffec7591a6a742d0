package io.holdfast.lock.jdbc;

import io.holdfast.lock.jdbc.table.LockKey;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.lock.tck.Outage;
import io.holdfast.parts.ServerGate;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * What the kit needs to know of a database.
 *
 * @param url the database
 * @param otherJvms whether another JVM reaches it
 * @param lease longer where a new JVM takes part, whose first call loads a driver, starts a pool and connects
 * @param door the way to its server, if it has one of a process of its own
 */
record JdbcHarness(String url, boolean otherJvms, Duration lease, Optional<ServerGate> door) implements LockHarness {

    private static final Pattern SERVER = Pattern.compile("//([0-9.]+):([0-9]+)/");

    JdbcHarness(String url, boolean otherJvms, Duration lease) {
        this(url, otherJvms, lease, door(url));
    }

    private static Optional<ServerGate> door(String url) {
        return SERVER.matcher(url)
                .results()
                .map(server -> new ServerGate(server.group(1), Integer.parseInt(server.group(2))))
                .findFirst();
    }

    /** The URL by which providers are opened. */
    String urlThroughDoor() {
        return door.map(way -> SERVER.matcher(url).replaceFirst("//$1:" + way.port() + "/"))
                .orElse(url);
    }

    @Override
    public LockProvider open() {
        return Databases.at(urlThroughDoor());
    }

    @Override
    public Optional<Outage> outage() {
        door.ifPresent(ServerGate::makeShuttable);
        return door.map(way -> new Outage(way::shut, way::open));
    }

    @Override
    public void close() {
        door.ifPresent(ServerGate::close);
    }

    @Override
    public Optional<String> uri() {
        return otherJvms ? Optional.of(url) : Optional.empty();
    }

    @Override
    public Optional<Consumer<String>> remover() {
        return Optional.of(this::remove);
    }

    private void remove(String name) {
        try (Connection connection = Databases.connect(url);
                PreparedStatement delete =
                        connection.prepareStatement("DELETE FROM holdfast_lock WHERE name_hash = ?")) {
            delete.setString(1, LockKey.of(name).hash());
            delete.executeUpdate();
        } catch (SQLException failure) {
            throw new AssertionError(failure);
        }
    }
}
