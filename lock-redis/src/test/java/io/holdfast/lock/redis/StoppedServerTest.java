package io.holdfast.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockStoreException;
import io.holdfast.parts.Proves;
import io.holdfast.parts.Refusals;
import io.holdfast.parts.Waits;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A server that is stopped, with its connections open: only missing answers show the outage. */
class StoppedServerTest extends ClientScene {

    @Test
    @Proves({"1.6", "7.1"})
    void waiterBehindAnotherIsNotToldThatTheLockIsHeld() throws InterruptedException {
        Refusals refusals = new Refusals();
        try (LockClient holder = connect("");
                LockHandle held = holder.lock("a").acquire();
                LockClient client = LockClient.builder("redis://127.0.0.1:" + proxy.port() + "?timeout=2s")
                        .listener(refusals)
                        .build()) {
            CompletableFuture<LockHandle> first = client.lock("a").acquireAsync();
            refusals.await(1);
            assertThat(client.lock("a").tryAcquire(Duration.ofMillis(500))).isEmpty();

            server.pause();
            try {
                assertThatThrownBy(() -> client.lock("a").tryAcquire(Duration.ofMillis(500)))
                        .isInstanceOf(LockStoreException.class);
                // At its next attempt at the latest.
                Waits.soon().until(first::isCompletedExceptionally);
            } finally {
                server.resume();
            }
            assertThat(held.isHeld()).isTrue();
        }
    }
}
