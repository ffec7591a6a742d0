package io.holdfast.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.parts.RedisServerScene;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Closes the last pool of the JVM: the library of the pools then waits for its timer, and an interrupt ends that wait. */
@Isolated
class InterruptedCloseTest extends RedisServerScene {

    @Test
    void interruptIsKept() {
        try (RedisLockProvider provider = RedisProviders.at("redis://127.0.0.1:" + server.port())) {
            assertThat(provider.holder("a")).isEmpty();
            Thread.currentThread().interrupt();
        }
        assertThat(Thread.interrupted()).isTrue();
    }
}
