package io.holdfast.bench;

import java.time.Duration;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Redisson's {@code RLock}. */
final class RedissonLocks implements Locks {

    private final RedissonClient client;

    RedissonLocks(String address) {
        this(address, Duration.ofSeconds(30));
    }

    /** With a lease of its watchdog. */
    RedissonLocks(String address, Duration lease) {
        Config config = new Config();
        config.setLockWatchdogTimeout(lease.toMillis());
        config.useSingleServer().setAddress("redis://" + address);
        this.client = Redisson.create(config);
    }

    @Override
    public Section section(String name) {
        return Section.over(client.getLock("redisson:" + name));
    }

    @Override
    public void close() {
        client.shutdown();
    }
}
