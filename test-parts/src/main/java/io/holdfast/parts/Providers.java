package io.holdfast.parts;

import io.holdfast.lock.spi.ConnectionParameters;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.LockProviderFactory;
import java.net.URI;
import java.util.Map;
import java.util.Optional;

/** Providers by URI, as a client makes them. */
public final class Providers {

    private Providers() {}

    /**
     * Makes a provider.
     *
     * @param factory the backend's factory
     * @param uri the URI of the store
     * @param properties parameters that are not in the URI
     * @return the provider
     */
    public static LockProvider open(LockProviderFactory factory, String uri, Map<String, String> properties) {
        URI parsed = URI.create(uri);
        String query = Optional.ofNullable(parsed.getRawQuery()).orElse("");
        return factory.create(parsed, ConnectionParameters.of(query, properties));
    }
}
