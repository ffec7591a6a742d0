package io.holdfast.lock.redis;

import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.parts.RedisServerScene;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.util.Pool;

/** A pool that another one replaces while its connections are in use. */
class PresentPoolTest extends RedisServerScene {

    private ConnectionPool former;
    private ConnectionPool next;
    private AtomicReference<Pool<Connection>> current;

    @BeforeEach
    void openPools() {
        former = pool();
        next = pool();
        current = new AtomicReference<>(former);
    }

    @AfterEach
    void closePools() {
        former.close();
        next.close();
    }

    private ConnectionPool pool() {
        GenericObjectPoolConfig<Connection> one = new GenericObjectPoolConfig<>();
        one.setMaxTotal(1);
        one.setJmxEnabled(false);
        return new ConnectionPool(
                new HostAndPort(server.host(), server.port()),
                DefaultJedisClientConfig.builder().build(),
                one);
    }

    private void replace() {
        current.set(next);
        former.close();
    }

    @Test
    void waiterOfAReplacedPoolGetsAConnectionOfTheNextOneAndNoInterrupt() {
        PresentPool pool = new PresentPool(current::get, ConnectionSharing.NONE, current.get()::getResource, () -> {});
        try (Connection busy = pool.borrow()) {
            CompletableFuture<Boolean> interrupted = CompletableFuture.supplyAsync(() -> {
                try (Connection borrowed = pool.borrow()) {
                    assertThat(borrowed.ping()).isTrue();
                    return Thread.interrupted();
                }
            });
            soon().until(() -> former.getNumWaiters() == 1);

            replace();

            assertThat(interrupted).succeedsWithin(Duration.ofSeconds(10)).isEqualTo(false);
            assertThat(busy.ping()).isTrue();
        }
        assertThat(next.getNumIdle()).isEqualTo(1);
    }

    @Test
    void closedPoolThatNoneReplacesIsReported() {
        PresentPool pool = new PresentPool(current::get, ConnectionSharing.NONE, current.get()::getResource, () -> {});
        former.close();

        assertThatThrownBy(pool::borrow).isInstanceOf(JedisException.class).hasMessageContaining("pool");
    }

    @Test
    void subscriptionIsCutOffWhenThePoolIsReplaced() {
        PresentPool pool = new PresentPool(current::get, ConnectionSharing.NONE, former::getResource, () -> {});
        try (Connection subscription = pool.openSubscription()) {
            current.set(next);
            assertThat(subscription.isBroken()).isFalse();

            pool.borrow().close();

            assertThat(subscription.isBroken()).isTrue();
        }
    }

    @Test
    void subscriptionIsCutOffIfThePoolWasReplacedWhileItConnected() {
        AtomicReference<PresentPool> pool = new AtomicReference<>();
        pool.set(new PresentPool(
                current::get,
                ConnectionSharing.NONE,
                () -> {
                    Connection late = former.getResource();
                    current.set(next);
                    pool.get().borrow().close();
                    return late;
                },
                () -> {}));
        try (Connection subscription = pool.get().openSubscription()) {
            assertThat(subscription.isBroken()).isTrue();
        }
    }
}
