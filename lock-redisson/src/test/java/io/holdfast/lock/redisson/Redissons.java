package io.holdfast.lock.redisson;

import io.holdfast.servers.RedisServer;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Redisson clients as an application has them. */
final class Redissons {

    private Redissons() {}

    static RedissonClient on(RedisServer server) {
        return Redisson.create(config(server.port()));
    }

    static Config config(int port) {
        Config config = new Config();
        config.useSingleServer()
                .setAddress("redis://127.0.0.1:" + port)
                .setConnectionMinimumIdleSize(1)
                .setSubscriptionConnectionMinimumIdleSize(1);
        return config;
    }
}
