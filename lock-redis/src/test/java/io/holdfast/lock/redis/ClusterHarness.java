package io.holdfast.lock.redis;

import io.holdfast.lock.redis.RedisLockProvider.Layout;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.servers.RedisCluster;
import java.util.Optional;
import java.util.function.Consumer;

/** A Redis cluster for the kit. All its tests share one, which ends with the JVM. */
record ClusterHarness(Layout layout) implements LockHarness {

    @Override
    public LockProvider open() {
        return RedisProviders.at(address());
    }

    @Override
    public Optional<String> uri() {
        return Optional.of(address());
    }

    private String address() {
        return "redis-cluster://" + SharedCluster.get().addresses() + "?layout=" + layout;
    }

    @Override
    public Optional<Consumer<String>> remover() {
        RedisCluster cluster = SharedCluster.get();
        return Optional.of(name -> {
            String key = KeySpace.DEFAULT_PREFIX + name;
            cluster.master(key).command("DEL", key);
        });
    }
}
