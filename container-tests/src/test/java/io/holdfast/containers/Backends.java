package io.holdfast.containers;

import io.holdfast.lock.spi.ConnectionParameters;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.LockProviderFactory;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;

/** The backends on the class path, found as the engine finds them. */
final class Backends {

    private static final List<LockProviderFactory> FACTORIES = ServiceLoader.load(LockProviderFactory.class).stream()
            .map(ServiceLoader.Provider::get)
            .toList();

    private Backends() {}

    static LockProvider open(String uri, Map<String, String> properties) {
        URI parsed = URI.create(uri);
        String query = Optional.ofNullable(parsed.getRawQuery()).orElse("");
        return FACTORIES.stream()
                .filter(factory -> factory.schemes().contains(parsed.getScheme()))
                .findFirst()
                .orElseThrow(() -> new AssertionError("There is no backend for " + parsed.getScheme() + ":"))
                .create(parsed, ConnectionParameters.of(query, properties));
    }
}
