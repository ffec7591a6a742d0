package io.holdfast.lock.redis;

import io.holdfast.lock.spi.ConnectionParameters;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.LockProviderFactory;
import java.net.URI;
import java.util.Set;

/**
 * Makes the providers of {@code redis:} and {@code rediss:} URIs, the latter with TLS. The form of the URI is
 * {@code redis://[user[:password]@]host[:port][/database]}; the page on the Redis backend has the parameters.
 */
public final class RedisLockProviderFactory implements LockProviderFactory {

    /** For {@link java.util.ServiceLoader}. */
    public RedisLockProviderFactory() {}

    @Override
    public Set<String> schemes() {
        return Set.of("redis", "rediss");
    }

    /** Connects only when the provider is used first. */
    @Override
    public LockProvider create(URI uri, ConnectionParameters parameters) {
        JedisVersion.requireSupported();
        return RedisSettings.of(uri, parameters).open(ReleaseMessages.SILENCE);
    }
}
