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
 */
record Store(String uri, Map<String, String> properties, boolean disposable) {

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

    /** Whether only this process reaches it. */
    boolean isInThisProcess() {
        return uri.startsWith("memory:") || uri.startsWith("jdbc:h2:mem:");
    }

    /** The URI for other processes, which have no properties; empty if they do not reach the store by it. */
    Optional<String> uriForProcesses() {
        return isInThisProcess() || !properties.isEmpty() ? Optional.empty() : Optional.of(uri);
    }

    /** The same store with one more parameter in the URI. */
    Store with(String parameter, String value) {
        return new Store(uri + (uri.indexOf('?') < 0 ? "?" : "&") + parameter + "=" + value, properties, disposable);
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
