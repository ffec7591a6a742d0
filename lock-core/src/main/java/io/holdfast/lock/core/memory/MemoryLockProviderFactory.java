package io.holdfast.lock.core.memory;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.spi.ConnectionParameters;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.LockProviderFactory;
import java.net.URI;
import java.util.Objects;
import java.util.Set;

/** Makes the provider of {@code memory:name}; it takes no parameters. Thread-safe. */
public final class MemoryLockProviderFactory implements LockProviderFactory {

    /** For {@link java.util.ServiceLoader}. */
    public MemoryLockProviderFactory() {}

    @Override
    public Set<String> schemes() {
        return Set.of("memory");
    }

    @Override
    public LockProvider create(URI uri, ConnectionParameters parameters) {
        Objects.requireNonNull(uri, "uri");
        Objects.requireNonNull(parameters, "parameters");
        parameters.rejectUnknown();
        // A URI without slashes is opaque: its query is a part of the scheme-specific part.
        String name = ConnectionParameters.percentDecoded(
                "memory store's name", uri.getRawSchemeSpecificPart().split("\\?", 2)[0]);
        if (name.indexOf('@') >= 0) {
            // Not shown: before an @ there may be a password.
            throw new LockConfigurationException(
                    "The memory store's name has an @; allowed is memory:name, without user or password");
        }
        return MemoryLockProvider.builder(name).build();
    }
}
