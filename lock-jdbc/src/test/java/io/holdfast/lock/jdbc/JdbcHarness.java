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
 * A database for the kit.
 *
 * @param url the database
 * @param otherJvms whether another JVM reaches it
 * @param lease longer where another JVM takes part, whose first call loads a driver, starts a pool and connects
 * @param gate before its server, if that is a separate process
 */
record JdbcHarness(String url, boolean otherJvms, Duration lease, Optional<ServerGate> gate) implements LockHarness {

    private static final Pattern SERVER = Pattern.compile("//([0-9.]+):([0-9]+)/");

    JdbcHarness(String url, boolean otherJvms, Duration lease) {
        this(url, otherJvms, lease, gate(url));
    }

    private static Optional<ServerGate> gate(String url) {
        return SERVER.matcher(url)
                .results()
                .map(server -> new ServerGate(server.group(1), Integer.parseInt(server.group(2))))
                .findFirst();
    }

    /** The URL by which providers connect: through the gate, if there is one. */
    String gatedUrl() {
        return gate.map(open -> SERVER.matcher(url).replaceFirst("//$1:" + open.port() + "/"))
                .orElse(url);
    }

    @Override
    public LockProvider open() {
        return Databases.at(gatedUrl());
    }

    @Override
    public Optional<Outage> outage() {
        gate.ifPresent(ServerGate::makeShuttable);
        return gate.map(way -> new Outage(way::shut, way::open));
    }

    @Override
    public void close() {
        gate.ifPresent(ServerGate::close);
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
