package io.holdfast.lock.redisson;

import io.holdfast.lock.redisson.RedissonLockProvider.Layout;
import io.holdfast.parts.Providers;
import io.holdfast.servers.RedisServer;
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
        return (RedissonLockProvider) Providers.open(new RedissonLockProviderFactory(), uri, properties);
    }
}
