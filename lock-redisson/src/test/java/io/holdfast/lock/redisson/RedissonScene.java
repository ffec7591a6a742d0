package io.holdfast.lock.redisson;

import static io.holdfast.parts.Waits.answered;
import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.parts.RedisServerScene;
import io.holdfast.parts.TestClaim;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.redisson.api.RedissonClient;

/** A server, an application's Redisson client, a provider over it, and threads to wait on. */
abstract class RedissonScene extends RedisServerScene {

    /** Below every lease here, at whose end a waiter of Redisson asks again, and long for a slow machine. */
    static final Duration PROMPT = Duration.ofSeconds(5);

    static final Duration BOUND = Duration.ofSeconds(30);

    RedissonClient redisson;
    RedissonLockProvider provider;
    final ExecutorService threads = Executors.newCachedThreadPool();

    @BeforeEach
    void open() {
        redisson = Redissons.on(server);
        provider = RedissonLockProvider.over(redisson).build();
    }

    @AfterEach
    void close() {
        threads.shutdownNow();
        provider.close();
        redisson.shutdown();
    }

    /** A claim that has been refused, and whose channel is subscribed to. */
    TestClaim waiter(RedissonLockProvider over, String name) {
        TestClaim waiter = TestClaim.waiting(over, name);
        // Each attempt subscribes again if the subscription failed.
        answered().until(() -> {
            assertThat(waiter.granted()).isFalse();
            return waiter.isHeard();
        });
        return waiter;
    }

    static void awaitSignals(TestClaim waiter, int least) {
        soon().until(() -> waiter.mayBeFree.get() >= least);
    }

    static String channel(String name) {
        return "redisson_lock__channel:{" + name + "}";
    }

    void awaitSubscribers(String name, long count) {
        soon().until(() -> server.command("PUBSUB", "NUMSUB", channel(name)).equals(List.of(channel(name), count)));
    }
}
