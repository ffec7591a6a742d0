package io.holdfast.lock.tck.command;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.spi.LockProvider;
import java.util.Map;
import java.util.Optional;

/**
 * The store under test.
 *
 * @param uri of its provider, perhaps with a password
 * @param properties parameters that are not in the URI
 * @param disposable whether it is there for the tests alone, or may be an application's
 * @param isInThisProcess whether only this process reaches it
 */
record Store(String uri, Map<String, String> properties, boolean disposable, boolean isInThisProcess) {

    /** The store that was named on the command line. */
    static Store of(Options options) {
        boolean inMemory = options.uri().startsWith("memory:") || options.uri().startsWith("jdbc:h2:mem:");
        return new Store(options.uri(), options.properties(), options.disposable(), options.inProcess() || inMemory);
    }

    /** Opens a provider. */
    LockProvider open() {
        return open(uri);
    }

    /** Opens a provider by another way. */
    LockProvider open(String other) {
        LockClient.Builder builder = LockClient.builder(other);
        properties.forEach(builder::property);
        return builder.buildProvider();
    }

    /** The URI for other processes, which have no properties; empty if they do not reach the store by it. */
    Optional<String> uriForProcesses() {
        return isInThisProcess || !properties.isEmpty() ? Optional.empty() : Optional.of(uri);
    }

    /** The same store with one more parameter in the URI. */
    Store with(String parameter, String value) {
        String parameters = (uri.indexOf('?') < 0 ? "?" : "&") + parameter + "=" + value;
        return new Store(uri + parameters, properties, disposable, isInThisProcess);
    }

    boolean names(String parameter) {
        return uri.contains(parameter + "=") || properties.containsKey(parameter);
    }

    /** Hides what may be a password. */
    @Override
    public String toString() {
        return Address.shown(uri);
    }
}
