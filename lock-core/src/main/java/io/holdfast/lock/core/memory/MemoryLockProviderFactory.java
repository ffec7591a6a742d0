package io.holdfast.lock.core.memory;

import io.holdfast.lock.ApiStatus;
import io.holdfast.lock.spi.ConnectionParameters;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.LockProviderFactory;
import java.net.URI;
import java.util.Set;

/** Makes the provider of {@code memory:name}; it has no parameters of its own. Thread-safe. */
@ApiStatus(ApiStatus.Level.EXPERIMENTAL)
public final class MemoryLockProviderFactory implements LockProviderFactory {

    /** For {@link java.util.ServiceLoader}. */
    public MemoryLockProviderFactory() {}

    @Override
    public Set<String> schemes() {
        return Set.of("memory");
    }

    @Override
    public LockProvider create(URI uri, ConnectionParameters parameters) {
        parameters.rejectUnknown();
        // A URI without slashes is opaque: its query is a part of the scheme-specific part.
        String name = uri.getSchemeSpecificPart().split("\\?", 2)[0];
        return MemoryLockProvider.builder(name).build();
    }
}
