package io.holdfast.lock.core.migration;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.spi.ConnectionParameters;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.LockProviderFactory;
import java.net.URI;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Makes the provider of {@code migrate:?from=…&to=…&phase=both}. The URIs of the stores are percent-encoded, or given as
 * properties, and their own properties have the names {@code from.…} and {@code to.…}. Thread-safe.
 */
public final class MigratingLockProviderFactory implements LockProviderFactory {

    private static final Pattern TOKENS = Pattern.compile("keep|none");

    /** For {@link java.util.ServiceLoader}. */
    public MigratingLockProviderFactory() {}

    @Override
    public Set<String> schemes() {
        return Set.of("migrate");
    }

    @Override
    public LockProvider create(URI uri, ConnectionParameters parameters) {
        Objects.requireNonNull(uri, "uri");
        Objects.requireNonNull(parameters, "parameters");
        if (!uri.getRawSchemeSpecificPart().split("\\?", 2)[0].isEmpty()) {
            // Not shown: it may be a part of a store's URI, with a password.
            throw new LockConfigurationException(
                    "Behind 'migrate:' there is a name; allowed is migrate:?from=…&to=…&phase=both");
        }
        LockClient.Builder from = store("from", parameters);
        LockClient.Builder to = store("to", parameters);
        boolean tokens = parameters.text("tokens", "keep", TOKENS, "keep, none").equals("keep");
        if (parameters.text("phase").isEmpty()) {
            throw new LockConfigurationException(
                    "The parameter 'phase' is missing; allowed are from_only, both, to_only");
        }
        Phase phase = parameters.choice("phase", Phase.BOTH);
        parameters.rejectUnknown();
        return opened(from, to, phase, tokens);
    }

    private static LockClient.Builder store(String which, ConnectionParameters parameters) {
        String uri = parameters
                .text(which)
                .orElseThrow(() -> new LockConfigurationException("The parameter '" + which
                        + "' is missing; allowed is the URI of a store, percent-encoded, or given as a property"));
        LockClient.Builder builder = LockClient.builder(uri);
        String prefix = which + ".";
        parameters
                .matching(name -> name.startsWith(prefix))
                .forEach((name, value) -> builder.property(name.substring(prefix.length()), value));
        return builder;
    }

    private static LockProvider opened(LockClient.Builder from, LockClient.Builder to, Phase phase, boolean tokens) {
        LockProvider old = from.buildProvider();
        LockProvider next;
        try {
            next = to.buildProvider();
        } catch (RuntimeException refused) {
            old.close();
            throw refused;
        }
        MigratingLockProvider.Builder builder = MigratingLockProvider.between(old, next, phase);
        return (tokens ? builder : builder.withoutTokens()).build();
    }
}
