package io.holdfast.lock.core.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockListener;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.core.claim.ClientIdentity;
import io.holdfast.lock.core.memory.MemoryLockProvider;
import io.holdfast.lock.core.runtime.EngineThreads;
import io.holdfast.lock.spi.ClientSettings;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class EngineThreadsTest {

    private final ClientIdentity identity = new ClientIdentity();
    private final TroubledProvider provider = new TroubledProvider(
            MemoryLockProvider.builder(UUID.randomUUID().toString()).build());
    private final LockClient client = new EngineClient(
            provider,
            new ClientSettings(
                    LockOptions.DEFAULTS.withLeaseTime(Duration.ofSeconds(1)), List.of(new LockListener() {})),
            identity,
            EngineThreads.start(identity.shortId()));

    private List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("holdfast-" + identity.shortId() + "-"))
                .toList();
    }

    @Test
    void noThreadOfAClientOutlivesItsClose() throws InterruptedException {
        LockHandle held = client.lock("stock").acquire();
        CompletableFuture<LockHandle> waiting = client.lock("stock").acquireAsync();
        await("every kind of thread")
                .atMost(Duration.ofSeconds(5))
                .untilAsserted(() -> assertThat(threads())
                        .anyMatch(name -> name.contains("-timer-"))
                        .anyMatch(name -> name.contains("-store-"))
                        .anyMatch(name -> name.contains("-renewal-"))
                        .anyMatch(name -> name.contains("-callback-")));

        client.close();

        assertThat(held.isHeld()).isFalse();
        await("no thread").atMost(Duration.ofSeconds(5)).until(() -> threads().isEmpty());
        assertThat(waiting).isCompletedExceptionally();
    }

    @Test
    void aCloseThatIsInterruptedStillWaitsForTheLockToBeGivenBack() throws InterruptedException {
        LockHandle held = client.lock("stock").acquire();
        Thread closer = Thread.currentThread();
        provider.before(TroubledProvider.Call.RELEASE, () -> {
            closer.interrupt();
            await("the interrupt is noticed").atMost(Duration.ofSeconds(5)).until(() -> !closer.isInterrupted());
        });

        try {
            client.close();
        } finally {
            assertThat(Thread.interrupted()).as("interrupted still").isTrue();
        }
        assertThat(held.isHeld()).isFalse();
    }
}
