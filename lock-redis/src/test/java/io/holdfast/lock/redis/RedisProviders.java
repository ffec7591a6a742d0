package io.holdfast.lock.redis;

import io.holdfast.parts.Providers;
import io.holdfast.servers.RedisServer;
import java.util.Map;

/** Providers as the factory makes them. */
final class RedisProviders {

    private RedisProviders() {}

    static RedisLockProvider on(RedisServer server, String query) {
        return at("redis://" + server.host() + ":" + server.port() + "?" + query);
    }

    static RedisLockProvider on(RedisServer server, RedisLockProvider.Layout layout) {
        return on(server, "layout=" + layout);
    }

    static RedisLockProvider at(String uri) {
        return at(uri, Map.of());
    }

    static RedisLockProvider at(String uri, Map<String, String> properties) {
        return (RedisLockProvider) Providers.open(new RedisLockProviderFactory(), uri, properties);
    }
}
