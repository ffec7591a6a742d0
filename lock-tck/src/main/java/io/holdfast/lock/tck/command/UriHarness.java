package io.holdfast.lock.tck.command;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.LockHarness;
import java.time.Duration;
import java.util.Optional;

/**
 * A live store behind a URI.
 *
 * @param connection the URI, perhaps with a password
 * @param lease the lease to measure with
 * @param expiryTolerance how much later than its lease a record may go
 */
record UriHarness(String connection, Duration lease, Duration expiryTolerance) implements LockHarness {

    @Override
    public LockProvider open() {
        return LockClient.builder(connection).buildProvider();
    }

    @Override
    public Optional<String> uri() {
        // Another process does not see the memory of this one.
        return connection.startsWith("memory:") ? Optional.empty() : Optional.of(connection);
    }
}
