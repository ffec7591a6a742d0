package io.holdfast.parts;

import io.holdfast.lock.spi.ConnectionParameters;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.LockProviderFactory;
import java.net.URI;
import java.util.Map;

/** Providers as a client gets them from a backend's factory. */
public final class FromFactory {

    private FromFactory() {}

    /**
     * Makes a provider.
     *
     * @param factory the factory
     * @param uri the URI with its query
     * @param properties further parameters
     * @return the provider
     */
    public static LockProvider provider(LockProviderFactory factory, String uri, Map<String, String> properties) {
        URI parsed = URI.create(uri);
        String query = parsed.getRawQuery() == null ? "" : parsed.getRawQuery();
        return factory.create(parsed, ConnectionParameters.of(query, properties));
    }
}
