package io.holdfast.lock.redis;

import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.redis.RedisLockProvider.Layout;
import io.holdfast.lock.spi.ConnectionParameters;
import io.holdfast.parts.RedisServerScene;
import io.holdfast.parts.TestClaim;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A server, a provider, and claims that hold and wait: the start of the tests of wake-ups. */
abstract class WakeUpScene extends RedisServerScene {

    private static final Duration BOUND = Duration.ofSeconds(20);

    /** Below the 5 s after which a waiter polls, and long for a slow machine. */
    static final Duration PROMPT = Duration.ofSeconds(4);

    RedisLockProvider provider;

    @BeforeEach
    void open() {
        provider = RedisProviders.on(server, "");
    }

    @AfterEach
    void close() {
        provider.close();
    }

    static TestClaim holder(RedisLockProvider provider, String name) {
        TestClaim holder = TestClaim.once(provider, name);
        assertThat(holder.granted()).isTrue();
        return holder;
    }

    /** A claim that has been refused, and whose channel is subscribed to. */
    TestClaim waiter(RedisLockProvider provider, String name) {
        TestClaim waiter = TestClaim.waiting(provider, name);
        assertThat(waiter.granted()).isFalse();
        awaitSubscribers(name, 1);
        return waiter;
    }

    void awaitSubscribers(String name, long count) {
        awaitSubscribers(name, count, BOUND);
    }

    void awaitSubscribers(String name, long count, Duration bound) {
        soon().atMost(bound).until(() -> Subscribers.of(server, name) == count);
    }

    static void awaitSignals(TestClaim waiter, int least) {
        soon().until(() -> waiter.mayBeFree.get() >= least);
    }

    /** A provider that gets a connection to subscribe on only when the gate allows it. */
    RedisLockProvider behind(SubscriptionGate gate) {
        return new RedisLockProvider(gate, Layout.HASH, provider.keys(), ReleaseMessages.QUIET_LIMIT);
    }

    /** A provider that replaces a quiet subscription soon. */
    static RedisLockProvider impatient(int port) {
        return RedisSettings.of(URI.create("redis://127.0.0.1:" + port), ConnectionParameters.of("", Map.of()))
                .open(Duration.ofSeconds(1));
    }

    static boolean messageThreadIsIn(String method) {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(each -> each.getKey().getName().equals("holdfast-redis-releases"))
                .flatMap(each -> Arrays.stream(each.getValue()))
                .anyMatch(frame -> frame.getMethodName().equals(method));
    }
}
