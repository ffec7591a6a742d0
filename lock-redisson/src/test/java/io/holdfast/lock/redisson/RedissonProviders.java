package io.holdfast.lock.redisson;

import io.holdfast.lock.redisson.RedissonLockProvider.Layout;
import io.holdfast.lock.spi.ConnectionParameters;
import io.holdfast.servers.RedisServer;
import java.net.URI;
import java.util.Map;

/** Providers as the factory makes them. */
final class RedissonProviders {

    private RedissonProviders() {}

    static RedissonLockProvider on(RedisServer server, String query) {
        return at("redisson://" + server.host() + ":" + server.port() + "?" + query);
    }

    static RedissonLockProvider on(RedisServer server, Layout layout) {
        return on(server, "layout=" + layout);
    }

    static RedissonLockProvider at(String uri) {
        return at(uri, Map.of());
    }

    static RedissonLockProvider at(String uri, Map<String, String> properties) {
        URI parsed = URI.create(uri);
        String query = parsed.getRawQuery() == null ? "" : parsed.getRawQuery();
        return (RedissonLockProvider)
                new RedissonLockProviderFactory().create(parsed, ConnectionParameters.of(query, properties));
    }
}
