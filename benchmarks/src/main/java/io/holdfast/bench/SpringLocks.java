package io.holdfast.bench;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.locks.Lock;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;

/** Spring Integration's {@code RedisLockRegistry}, of the type that waits for messages. */
final class SpringLocks implements Locks {

    private final LettuceConnectionFactory connections;
    private final RedisLockRegistry registry;

    SpringLocks(String host, int port) {
        connections = new LettuceConnectionFactory(host, port);
        connections.afterPropertiesSet();
        connections.start();
        registry = new RedisLockRegistry(
                connections, "spring", Duration.ofSeconds(30).toMillis());
        registry.setRedisLockType(RedisLockType.PUB_SUB_LOCK);
    }

    @Override
    public Section section(String name) {
        Lock lock = registry.obtain(name);
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
        registry.destroy();
        connections.destroy();
    }
}
