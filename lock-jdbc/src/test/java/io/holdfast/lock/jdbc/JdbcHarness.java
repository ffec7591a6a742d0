package io.holdfast.lock.jdbc;

import io.holdfast.lock.jdbc.table.LockKey;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.LockHarness;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What the kit needs to know of a database.
 *
 * @param url the database
 * @param otherJvms whether another JVM reaches it
 * @param lease longer where a new JVM takes part, whose first call loads a driver, starts a pool and connects
 */
record JdbcHarness(String url, boolean otherJvms, Duration lease) implements LockHarness {

    @Override
    public LockProvider open() {
        return Databases.at(url);
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
