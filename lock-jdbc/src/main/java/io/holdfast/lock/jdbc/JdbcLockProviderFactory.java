package io.holdfast.lock.jdbc;

import io.holdfast.lock.ApiStatus;
import io.holdfast.lock.spi.ConnectionParameters;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.LockProviderFactory;
import java.net.URI;
import java.util.Set;

/**
 * Makes the providers of {@code jdbc:} URIs. All of such a URI is the JDBC driver's, so the parameters of the backend can only
 * be set as properties; the page on the JDBC backend has them.
 */
@ApiStatus(ApiStatus.Level.EXPERIMENTAL)
public final class JdbcLockProviderFactory implements LockProviderFactory {

    /** For {@link java.util.ServiceLoader}. */
    public JdbcLockProviderFactory() {}

    @Override
    public Set<String> schemes() {
        return Set.of("jdbc");
    }

    /** Connects only when the provider is used first. */
    @Override
    public LockProvider create(URI uri, ConnectionParameters parameters) {
        return JdbcSettings.of(uri, parameters).open();
    }
}
