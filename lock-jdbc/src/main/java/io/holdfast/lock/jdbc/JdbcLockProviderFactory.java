package io.holdfast.lock.jdbc;

import io.holdfast.lock.spi.ConnectionParameters;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.LockProviderFactory;
import java.net.URI;
import java.util.Set;

/**
 * Creates the providers of {@code jdbc:} URIs. All of such a URI is for the JDBC driver, so the parameters of the
 * backend can only be set as properties; the page on the JDBC backend lists them.
 */
public final class JdbcLockProviderFactory implements LockProviderFactory {

    /** For {@link java.util.ServiceLoader}. */
    public JdbcLockProviderFactory() {}

    @Override
    public Set<String> schemes() {
        return Set.of("jdbc");
    }

    /** Creates the provider, which connects when it is first used. */
    @Override
    public LockProvider create(URI uri, ConnectionParameters parameters) {
        return JdbcSettings.of(uri, parameters).open();
    }
}
