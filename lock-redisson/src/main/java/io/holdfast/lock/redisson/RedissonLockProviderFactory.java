package io.holdfast.lock.redisson;

import io.holdfast.lock.spi.ConnectionParameters;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.LockProviderFactory;
import java.net.URI;
import java.util.Set;

/**
 * Makes the providers of {@code redisson:} and {@code redissons:} URIs, the latter with TLS. The form of the URI is
 * {@code redisson://[user[:password]@]host[:port][/database]}; the page on the Redisson backend has the parameters.
 */
public final class RedissonLockProviderFactory implements LockProviderFactory {

    /** For {@link java.util.ServiceLoader}. */
    public RedissonLockProviderFactory() {}

    @Override
    public Set<String> schemes() {
        return Set.of("redisson", "redissons");
    }

    /** Connects only when the provider is used first. */
    @Override
    public LockProvider create(URI uri, ConnectionParameters parameters) {
        RedissonVersion.requireSupported();
        return RedissonSettings.of(uri, parameters).open();
    }
}
