package io.holdfast.peers;

import static io.holdfast.parts.Waits.letPass;
import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.parts.TestClaim;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;
import org.springframework.integration.support.locks.DistributedLock;

/** Spring Integration's registry in Redis. */
class RedisLockRegistryTest extends SharedRedisLock {

    private static final String REGISTRY = "orders";

    /** How long a waiter sleeps that hears of no release. It begins long before ours, also on a slow machine. */
    private static final int SECONDS = 5;

    @Override
    String parameters() {
        return "layout=string&prefix=" + REGISTRY + ":";
    }

    @Override
    Peer peer(Duration lease) {
        return registry(lease, RedisLockType.SPIN_LOCK);
    }

    @Override
    Optional<Class<? extends Throwable>> failureOfALateRelease() {
        return Optional.of(ConcurrentModificationException.class);
    }

    private RegistryUser registry(Duration lease, RedisLockType type) {
        LettuceConnectionFactory connections = new LettuceConnectionFactory(server.host(), server.port());
        connections.afterPropertiesSet();
        connections.start();
        RedisLockRegistry registry = new RedisLockRegistry(connections, REGISTRY, lease);
        registry.setRedisLockType(type);
        return new RegistryUser(connections, registry, registry.obtain(NAME));
    }

    private record RegistryUser(LettuceConnectionFactory connections, RedisLockRegistry registry, DistributedLock lock)
            implements Peer {

        @Override
        public boolean take() {
            return lock.tryLock();
        }

        @Override
        public boolean take(Duration wait) throws InterruptedException {
            return lock.tryLock(wait.toMillis(), TimeUnit.MILLISECONDS);
        }

        @Override
        public void release() {
            lock.unlock();
        }

        @Override
        public void close() {
            registry.destroy();
            connections.destroy();
        }
    }

    /** Our release is no message of theirs: such a waiter asks again when its time is over, or else its registry's lease. */
    @ParameterizedTest
    @EnumSource
    void waiterOfThePubSubTypeAsksAgainLater(PubSubWait wait) {
        try (RegistryUser theirs = registry(Duration.ofSeconds(SECONDS), RedisLockType.PUB_SUB_LOCK)) {
            TestClaim claim = TestClaim.once(ours, NAME);
            assertThat(claim.granted()).isTrue();
            long began = System.nanoTime();
            CompletableFuture<Boolean> waiter = new CompletableFuture<>();
            Thread caller = new Thread(() -> waiter.completeAsync(() -> wait.on(theirs.lock), Runnable::run));
            caller.start();
            // It may be parked before that, too, as it connects.
            soon().until(() -> server.command("PUBSUB", "NUMPAT") instanceof Long patterns && patterns > 0);
            soon().until(() -> isParked(caller));
            letPass(Duration.ofSeconds(1));
            assertThat(waiter).isNotDone();
            assertThat(claim.released()).isTrue();

            assertThat(waiter.orTimeout(30, TimeUnit.SECONDS).join()).isTrue();
            assertThat(Duration.ofNanos(System.nanoTime() - began))
                    .isBetween(Duration.ofSeconds(SECONDS).minusMillis(100), Duration.ofSeconds(3 * SECONDS));
        }
    }

    private static boolean isParked(Thread caller) {
        Thread.State state = caller.getState();
        return state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING;
    }

    /** For {@link #SECONDS}, as the limit or as the lease. */
    enum PubSubWait {
        WITH_A_LIMIT,
        WITHOUT_LIMIT;

        boolean on(DistributedLock lock) {
            if (this == WITHOUT_LIMIT) {
                lock.lock();
                return true;
            }
            try {
                return lock.tryLock(SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException interrupted) {
                throw new IllegalStateException(interrupted);
            }
        }
    }
}
