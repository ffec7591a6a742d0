package io.holdfast.containers;

import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.LockProviderFactory;
import io.holdfast.parts.Providers;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;

/** The backends on the class path, found as the engine finds them. */
final class Backends {

    private static final List<LockProviderFactory> FACTORIES = ServiceLoader.load(LockProviderFactory.class).stream()
            .map(ServiceLoader.Provider::get)
            .toList();

    private Backends() {}

    static LockProvider open(String uri, Map<String, String> properties) {
        String scheme = URI.create(uri).getScheme();
        LockProviderFactory backend = FACTORIES.stream()
                .filter(factory -> factory.schemes().contains(scheme))
                .findFirst()
                .orElseThrow(() -> new AssertionError("There is no backend for " + scheme + ":"));
        return Providers.open(backend, uri, properties);
    }
}
