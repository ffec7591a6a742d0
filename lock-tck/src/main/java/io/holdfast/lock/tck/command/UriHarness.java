package io.holdfast.lock.tck.command;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.LockHarness;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * A live store behind a URI.
 *
 * @param connection the URI, perhaps with a password
 * @param properties parameters that are not in the URI
 * @param lease the lease to measure with
 * @param expiryTolerance how much later than its lease a record may go
 */
record UriHarness(String connection, Map<String, String> properties, Duration lease, Duration expiryTolerance)
        implements LockHarness {

    @Override
    public LockProvider open() {
        LockClient.Builder builder = LockClient.builder(connection);
        properties.forEach(builder::property);
        return builder.buildProvider();
    }

    @Override
    public Optional<String> uri() {
        // Another process does not see the memory of this one, and has no properties.
        boolean alone = connection.startsWith("memory:") || connection.startsWith("jdbc:h2:mem:");
        return alone || !properties.isEmpty() ? Optional.empty() : Optional.of(connection);
    }
}
