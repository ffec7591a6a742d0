package io.holdfast.lock.jdbc;

import io.holdfast.lock.jdbc.table.LockKey;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.lock.tck.faults.Faults;
import io.holdfast.lock.tck.faults.ServerFaults;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * A database for the kit.
 *
 * @param url the database
 * @param otherJvms whether another JVM reaches it
 * @param lease longer where another JVM takes part, whose first call loads a driver, starts a pool and connects
 * @param server the faults of its server, if that is a separate process
 * @param clock of the database, if that is PostgreSQL
 */
record JdbcHarness(String url, boolean otherJvms, Duration lease, Optional<ServerFaults> server, SettableClock clock)
        implements LockHarness {

    private static final Pattern SERVER = Pattern.compile("//([0-9.]+):([0-9]+)/");

    JdbcHarness(String url, boolean otherJvms, Duration lease) {
        this(url, otherJvms, lease, server(url), new SettableClock());
        if (url.contains("postgresql")) {
            server.orElseThrow().steppingClock(clock::step);
        }
    }

    private static Optional<ServerFaults> server(String url) {
        return SERVER.matcher(url)
                .results()
                .map(server -> new ServerFaults(server.group(1), Integer.parseInt(server.group(2)))
                        // Not the question of the pool whether a connection works.
                        .losingReplies(request -> request.contains("holdfast_lock"))
                        .stallingConnections()
                        .withServer(() -> LentServer.of(url))
                        .refusingChanges(Refusal.READ_ONLY, Refusal.FULL)
                        .without("dataLoss", "a database that has lost its data has no table of locks either")
                        .without("sessionEnd", "the store has no sessions"))
                .findFirst();
    }

    private String at(int port) {
        return SERVER.matcher(clock.urlInUse().orElse(url)).replaceFirst("//$1:" + port + "/");
    }

    /** The URL by which providers connect: through a proxy, if a fault needs one. */
    String gatedUrl() {
        return server.map(faults -> at(faults.port())).orElse(url);
    }

    private String serverUrl() {
        return server.map(faults -> at(faults.serverPort())).orElse(url);
    }

    @Override
    public LockProvider open() {
        return Databases.at(gatedUrl());
    }

    @Override
    public Faults faults() {
        return server.map(Faults.class::cast).orElse(Faults.none("the database is in the process of the tests"));
    }

    @Override
    public List<String> versions() {
        return DatabaseVersions.at(url);
    }

    @Override
    public void close() {
        server.ifPresent(ServerFaults::close);
    }

    @Override
    public Optional<String> uri() {
        return otherJvms ? Optional.of(serverUrl()) : Optional.empty();
    }

    @Override
    public Optional<Consumer<String>> remover() {
        return Optional.of(this::remove);
    }

    private void remove(String name) {
        try (Connection connection = Databases.connect(serverUrl());
                PreparedStatement delete =
                        connection.prepareStatement("DELETE FROM holdfast_lock WHERE name_hash = ?")) {
            delete.setString(1, LockKey.of(name).hash());
            delete.executeUpdate();
        } catch (SQLException failure) {
            throw new AssertionError(failure);
        }
    }
}
