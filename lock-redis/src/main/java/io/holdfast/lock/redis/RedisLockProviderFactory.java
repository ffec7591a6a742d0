package io.holdfast.lock.redis;

import io.holdfast.lock.redis.RedisAddress.Topology;
import io.holdfast.lock.spi.ConnectionParameters;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.LockProviderFactory;
import java.net.URI;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Makes the providers of {@code redis:}, {@code redis-sentinel:} and {@code redis-cluster:} URIs, and with TLS of
 * {@code rediss:}, {@code rediss-sentinel:} and {@code rediss-cluster:}. The forms of the URIs are
 * {@code redis://[user[:password]@]host[:port][/database]}, {@code
 * redis-sentinel://[user[:password]@]host[:port][,host[:port]...]/master} and {@code
 * redis-cluster://[user[:password]@]host[:port][,host[:port]...]}; the page on the Redis backend has the parameters.
 */
public final class RedisLockProviderFactory implements LockProviderFactory {

    /** For {@link java.util.ServiceLoader}. */
    public RedisLockProviderFactory() {}

    @Override
    public Set<String> schemes() {
        return Stream.of(Topology.SINGLE, Topology.SENTINEL, Topology.CLUSTER)
                .flatMap(served -> Stream.of(served.scheme(), served.tlsScheme()))
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Connects only when the provider is used first. */
    @Override
    public LockProvider create(URI uri, ConnectionParameters parameters) {
        JedisVersion.requireSupported();
        return RedisSettings.of(uri, parameters).open(ReleaseMessages.QUIET_LIMIT);
    }
}
