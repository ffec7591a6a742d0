package io.holdfast.lock.core.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockListener;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.core.claim.ClientIdentity;
import io.holdfast.lock.core.memory.MemoryLockProvider;
import io.holdfast.lock.core.runtime.EngineRuntime;
import io.holdfast.lock.core.runtime.EngineThreads;
import io.holdfast.lock.core.runtime.Uninterruptibly;
import io.holdfast.lock.engine.ClientSettings;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class EngineThreadsTest {

    private final ClientIdentity identity = new ClientIdentity();
    private final TroubledProvider provider = new TroubledProvider(
            MemoryLockProvider.builder(UUID.randomUUID().toString()).build());
    private final LockClient client = new EngineClient(
            provider,
            new ClientSettings(
                    LockOptions.DEFAULTS.withLeaseTime(Duration.ofSeconds(6)), List.of(new LockListener() {})),
            identity,
            EngineThreads.start(identity.shortId()));

    private List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("holdfast-" + identity.shortId() + "-"))
                .toList();
    }

    @Test
    void theTimerAndOneThreadForRenewalsStartWithTheClient() {
        assertThat(threads())
                .containsExactlyInAnyOrder(
                        "holdfast-" + identity.shortId() + "-timer-1", "holdfast-" + identity.shortId() + "-renewal-1");
        client.close();
    }

    @Test
    void aPoolUsesAnIdleThreadBeforeItStartsAnother() {
        for (int i = 0; i < 20; i++) {
            client.lock("stock").acquireAsync().join().close();
            await("an idle thread")
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> threads().stream()
                            .filter(name -> name.contains("-store-"))
                            .map(EngineThreadsTest::state)
                            .allMatch(Thread.State.TIMED_WAITING::equals));
        }
        assertThat(threads()).filteredOn(name -> name.contains("-store-")).hasSize(1);
        client.close();
    }

    private static Thread.State state(String thread) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(each -> each.getName().equals(thread))
                .findFirst()
                .map(Thread::getState)
                .orElse(Thread.State.TERMINATED);
    }

    @Test
    void tasksWaitWhileAllThreadsOfAPoolAreBusy() throws InterruptedException {
        EngineRuntime runtime = EngineThreads.start("busy");
        CountDownLatch busy = new CountDownLatch(64);
        CountDownLatch goOn = new CountDownLatch(1);
        CountDownLatch ran = new CountDownLatch(100);
        for (int i = 0; i < 100; i++) {
            runtime.storeCalls().execute(() -> {
                busy.countDown();
                Uninterruptibly.run(goOn::await);
                ran.countDown();
            });
        }
        assertThat(busy.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(ran.getCount()).isEqualTo(100);

        goOn.countDown();
        assertThat(ran.await(20, TimeUnit.SECONDS)).isTrue();
        runtime.shutdown().run();
        assertThatThrownBy(() -> runtime.storeCalls().execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
        client.close();
    }

    @Test
    void noThreadOfAClientOutlivesItsClose() throws InterruptedException {
        LockHandle held = client.lock("stock").acquire();
        CompletableFuture<LockHandle> waiting = client.lock("stock").acquireAsync();
        await("every kind of thread")
                .atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(threads())
                        .anyMatch(name -> name.contains("-timer-"))
                        .anyMatch(name -> name.contains("-store-"))
                        .anyMatch(name -> name.contains("-renewal-"))
                        .anyMatch(name -> name.contains("-callback-")));

        client.close();

        assertThat(held.isHeld()).isFalse();
        await("no thread").atMost(Duration.ofSeconds(20)).until(() -> threads().isEmpty());
        assertThat(waiting).isCompletedExceptionally();
    }

    @Test
    void anInterruptedCloseStillWaitsForTheRelease() throws InterruptedException {
        LockHandle held = client.lock("stock").acquire();
        Thread closer = Thread.currentThread();
        provider.before(TroubledProvider.Call.RELEASE, () -> {
            closer.interrupt();
            await("the interrupt is noticed").atMost(Duration.ofSeconds(20)).until(() -> !closer.isInterrupted());
        });

        try {
            client.close();
        } finally {
            assertThat(Thread.interrupted()).as("interrupted still").isTrue();
        }
        assertThat(held.isHeld()).isFalse();
    }
}
