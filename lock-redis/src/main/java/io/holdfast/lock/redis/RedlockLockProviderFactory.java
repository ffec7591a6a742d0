package io.holdfast.lock.redis;

import io.holdfast.lock.redis.RedisAddress.Topology;
import io.holdfast.lock.spi.ConnectionParameters;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.LockProviderFactory;
import java.net.URI;
import java.util.Set;

/**
 * Makes the providers of {@code redlock:} and {@code redlocks:} URIs, the latter with TLS. The form of the URI is
 * {@code redlock://[user[:password]@]host[:port],host[:port],host[:port]...[/database]}; the page on Redlock has the parameters.
 */
public final class RedlockLockProviderFactory implements LockProviderFactory {

    /** For {@link java.util.ServiceLoader}. */
    public RedlockLockProviderFactory() {}

    @Override
    public Set<String> schemes() {
        return Set.of(Topology.REDLOCK.scheme(), Topology.REDLOCK.tlsScheme());
    }

    /** Connects only when the provider is used first. */
    @Override
    public LockProvider create(URI uri, ConnectionParameters parameters) {
        JedisVersion.requireSupported();
        return RedlockSettings.open(uri, parameters, ReleaseMessages.QUIET_LIMIT);
    }
}
