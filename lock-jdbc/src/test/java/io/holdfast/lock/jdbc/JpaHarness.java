package io.holdfast.lock.jdbc;

import io.holdfast.lock.jdbc.jpa.JpaLockProvider.Strategy;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.LockHarness;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What the kit needs to know of a database that is reached by JPA.
 *
 * @param database the same by JDBC
 * @param strategy how bids keep each other out
 * @param lease longer where a new JVM takes part, which opens a persistence unit first
 */
record JpaHarness(JdbcHarness database, Strategy strategy, Duration lease) implements LockHarness {

    @Override
    public LockProvider open() {
        return JpaUnits.at(database.url(), strategy);
    }

    @Override
    public Optional<String> uri() {
        return database.otherJvms() ? Optional.of(JpaUnits.uri(database.url(), strategy)) : Optional.empty();
    }

    @Override
    public Optional<Consumer<String>> remover() {
        return database.remover();
    }
}
