package io.holdfast.bench;

import java.util.OptionalLong;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Redisson's {@code RLock}. */
final class RedissonLocks implements Locks {

    private final RedissonClient client;

    RedissonLocks(String host, int port) {
        Config config = new Config();
        config.useSingleServer().setAddress("redis://" + host + ":" + port);
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
