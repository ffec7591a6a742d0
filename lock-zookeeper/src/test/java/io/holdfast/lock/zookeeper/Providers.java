package io.holdfast.lock.zookeeper;

import io.holdfast.lock.spi.ConnectionParameters;
import io.holdfast.servers.ZooKeeperServer;
import java.net.URI;
import java.util.Map;

/** Providers as the factory makes them. */
final class Providers {

    private Providers() {}

    static ZooKeeperLockProvider on(ZooKeeperServer server, String pathAndQuery) {
        return at("zookeeper://" + server.host() + ":" + server.port() + pathAndQuery);
    }

    static ZooKeeperLockProvider at(String uri) {
        return at(uri, Map.of());
    }

    static ZooKeeperLockProvider at(String uri, Map<String, String> properties) {
        URI parsed = URI.create(uri);
        String query = parsed.getRawQuery() == null ? "" : parsed.getRawQuery();
        return (ZooKeeperLockProvider)
                new ZooKeeperLockProviderFactory().create(parsed, ConnectionParameters.of(query, properties));
    }
}
