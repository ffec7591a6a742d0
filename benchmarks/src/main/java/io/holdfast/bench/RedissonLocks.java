package io.holdfast.bench;

import java.time.Duration;
import java.util.OptionalLong;
import org.redisson.Redisson;
import org.redisson.api.RLock;
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
        RLock lock = client.getLock("redisson:" + name);
        return new Section() {
            @Override
            public OptionalLong enter() {
                lock.lock();
                return OptionalLong.empty();
            }

            @Override
            public void leave() {
                lock.unlock();
            }
        };
    }

    @Override
    public void close() {
        client.shutdown();
    }
}
