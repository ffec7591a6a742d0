package io.holdfast.lock.redis;

import io.holdfast.servers.RedisCluster;

/** The cluster of all tests that leave it as it is. It ends with the JVM. */
final class SharedCluster {

    private static final RedisCluster CLUSTER = RedisCluster.start();

    private SharedCluster() {}

    static RedisCluster get() {
        return CLUSTER;
    }
}
