package io.holdfast.containers;

import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.LockHarness;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A store behind a URI for the kit.
 *
 * @param connection the store
 * @param removal how an operator removes the record of a lock
 */
record ContainerHarness(String connection, Consumer<String> removal) implements LockHarness {

    /** Long: several servers share the machine with the kit, which does not notice when one of them stalls. */
    @Override
    public Duration lease() {
        return Duration.ofSeconds(2);
    }

    @Override
    public LockProvider open() {
        return Backends.open(connection, Map.of());
    }

    @Override
    public Optional<String> uri() {
        return Optional.of(connection);
    }

    @Override
    public Optional<Consumer<String>> remover() {
        return Optional.of(removal);
    }
}
