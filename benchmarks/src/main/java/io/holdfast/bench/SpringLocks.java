package io.holdfast.bench;

import java.time.Duration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/** Spring Integration's {@code RedisLockRegistry}, of the type that waits for messages. */
final class SpringLocks implements Locks {

    private final LettuceConnectionFactory connections;
    private final RedisLockRegistry registry;
    private final ThreadPoolTaskScheduler renewals = new ThreadPoolTaskScheduler();

    /** As it comes: nothing is renewed. */
    SpringLocks(String address) {
        this(address, Duration.ofSeconds(30));
    }

    private SpringLocks(String address, Duration lease) {
        Endpoint server = Endpoint.of(address);
        connections = new LettuceConnectionFactory(server.host(), server.port());
        connections.afterPropertiesSet();
        connections.start();
        registry = new RedisLockRegistry(connections, "spring", lease);
        registry.setRedisLockType(RedisLockType.PUB_SUB_LOCK);
    }

    /** With a scheduler for renewals. */
    static SpringLocks renewed(String address, Duration lease) {
        SpringLocks locks = new SpringLocks(address, lease);
        locks.renewals.initialize();
        locks.registry.setRenewalTaskScheduler(locks.renewals);
        return locks;
    }

    @Override
    public Section section(String name) {
        return Section.over(registry.obtain(name));
    }

    @Override
    public void close() {
        renewals.destroy();
        registry.destroy();
        connections.destroy();
    }
}
